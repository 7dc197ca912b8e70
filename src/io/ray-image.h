/* Images of what rays cost and see, a pixel of the camera each.
 *
 * COST: nodes visited by a ray of the pixel, from black through red and yellow to white, which is
 * the dearest pixel. HIT: how squarely the surface faces the ray, black where nothing is hit; for
 * any-hit rays (shadow, ambient occlusion) the share of rays that nothing stops.
 */
#pragma once

#include "io/image.h"
#include "stats/ray-result.h"

TsimImage *tsim_ray_image_cost(const TsimRayImages *images);
TsimImage *tsim_ray_image_hit(const TsimRayImages *images);
