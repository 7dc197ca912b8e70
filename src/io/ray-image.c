#include "io/ray-image.h"

#include "stats/figures.h"

#include <math.h>

#define FULL 255.0

static const TsimColour black = {0, 0, 0};

static size_t count_pixels(const TsimRayImages *images)
{
    return (size_t)images->width * images->height;
}

static double cost_of(const TsimRayImages *images, size_t pixel)
{
    return tsim_ratio(images->nodes[pixel], images->rays[pixel]);
}

static uint8_t shade(double share)
{
    return (uint8_t)lround(FULL * CLAMP(share, 0.0, 1.0));
}

/* Each third of the scale brings one more channel up. */
static TsimColour heat(double share)
{
    return (TsimColour){shade(3.0 * share), shade(3.0 * share - 1.0), shade(3.0 * share - 2.0)};
}

TsimImage *tsim_ray_image_cost(const TsimRayImages *images)
{
    TsimImage *image = tsim_image_new(images->width, images->height, black);
    double most = 0.0;

    for (size_t i = 0; i < count_pixels(images); i++) {
        most = MAX(most, cost_of(images, i));
    }
    for (size_t i = 0; i < count_pixels(images); i++) {
        image->pixels[i] = heat(tsim_ratio(cost_of(images, i), most));
    }
    return image;
}

TsimImage *tsim_ray_image_hit(const TsimRayImages *images)
{
    TsimImage *image = tsim_image_new(images->width, images->height, black);

    for (size_t i = 0; i < count_pixels(images); i++) {
        const uint8_t light =
            shade(tsim_ratio((double)images->light[i], FULL * (double)images->rays[i]));
        image->pixels[i] = (TsimColour){light, light, light};
    }
    return image;
}
