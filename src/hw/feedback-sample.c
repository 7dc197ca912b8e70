#include "hw/feedback-sample.h"

#include "base/error.h"
#include "hw/feedback-codec.h"

#include <math.h>

const char *const tsim_filter_names[] = {"point", "linear", NULL};
const char *const tsim_address_mode_names[] = {"wrap",        "mirror", "clamp",
                                               "mirror_once", "border", NULL};
const char *const tsim_sample_kind_names[] = {"implicit", "bias", "grad", "level", NULL};
const char *const tsim_footprint_names[] = {"feedback", "texture", NULL};

/* ---- set-up ---------------------------------------------------------------------------------- */

static gboolean check_sampler(const TsimSampler *sampler, GError **error)
{
    if (sampler->unnormalised) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "sampler: sampler feedback does not support unnormalised coordinates");
        return FALSE;
    }
    if (sampler->max_aniso < 1 || sampler->max_aniso > TSIM_SAMPLER_MAX_ANISO) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "sampler max_aniso %u: must be 1..%u",
                    sampler->max_aniso, TSIM_SAMPLER_MAX_ANISO);
        return FALSE;
    }
    /* Written so that a NaN fails too. */
    if (!(sampler->min_lod <= sampler->max_lod) || !isfinite(sampler->mip_bias)) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "sampler min_lod %g, max_lod %g, mip_bias %g: must be numbers with min_lod <= "
                    "max_lod",
                    sampler->min_lod, sampler->max_lod, sampler->mip_bias);
        return FALSE;
    }
    return TRUE;
}

static gboolean check_instruction(const TsimSampleInstruction *instruction, GError **error)
{
    const int32_t *offset = instruction->texel_offset;

    if (instruction->gather) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "instruction: sampler feedback does not support gather");
        return FALSE;
    }
    if (offset[0] != 0 || offset[1] != 0 || offset[2] != 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "instruction texel offset (%d, %d, %d): sampler feedback supports (0, 0, 0) "
                    "only",
                    offset[0], offset[1], offset[2]);
        return FALSE;
    }
    return TRUE;
}

static void store_extent(uint32_t size[3], TsimExtent extent)
{
    size[0] = extent.width;
    size[1] = extent.height;
    size[2] = extent.depth;
}

gboolean tsim_feedback_setup_init(TsimFeedbackSetup *ret_setup,
                                  const TsimFeedbackDescriptor *descriptor,
                                  const TsimSampler *sampler,
                                  const TsimSampleInstruction *instruction, TsimFootprint footprint,
                                  GError **error)
{
    if (!check_sampler(sampler, error) || !check_instruction(instruction, error)) {
        return FALSE;
    }
    *ret_setup = (TsimFeedbackSetup){
        .descriptor = *descriptor,
        .sampler = *sampler,
        .instruction = *instruction,
        .footprint = footprint,
        .axes = tsim_texture_axes(&descriptor->texture),
    };
    for (uint32_t mip = 0; mip < descriptor->texture.mips; mip++) {
        const uint32_t level = descriptor->kind == TSIM_FEEDBACK_MINMIP ? 0 : mip;

        store_extent(ret_setup->mip_size[mip], tsim_texture_mip_extent(&descriptor->texture, mip));
        store_extent(ret_setup->map_size[mip], tsim_feedback_level_extent(descriptor, level));
    }
    return TRUE;
}

/* ---- LOD ------------------------------------------------------------------------------------- */

typedef struct {
    double lod;
    uint32_t samples;
    const double *line; /* of anisotropy, normalised; NULL for one sample */
} Footprint;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The hardware scales by the size of mip 0; unused axes carry nothing. */
static void scale_gradient(const TsimFeedbackSetup *setup, const double in[3], double out[3])
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        out[axis] = axis < setup->axes ? in[axis] * setup->mip_size[0][axis] : 0.0;
    }
}

/* No ellipse correction: for derivatives that are not perpendicular the result is the
 * approximation that Direct3D allows. */
static Footprint anisotropic_footprint(const TsimFeedbackSetup *setup, const TsimSampleLane *lane,
                                       const double dx[3], const double dy[3])
{
    const double dx_squared = dot(dx, dx);
    const double dy_squared = dot(dy, dy);
    const gboolean x_is_major = dx_squared > dy_squared;
    const double major_squared = x_is_major ? dx_squared : dy_squared;
    const double major = sqrt(major_squared);
    const double area = fabs(dx[0] * dy[1] - dx[1] * dy[0]);
    const double limit = setup->sampler.max_aniso;
    double ratio = major_squared / area;
    double minor = area / major;

    if (!(ratio <= limit)) {
        ratio = limit;
        minor = major / ratio;
    }
    if (minor < 1.0) {
        ratio = fmax(1.0, ratio * minor);
    }

    const double samples = ceil(ratio);

    return (Footprint){
        .lod = log2(minor),
        .samples = (uint32_t)samples,
        .line = x_is_major ? lane->ddx : lane->ddy,
    };
}

static Footprint gradient_footprint(const TsimFeedbackSetup *setup, const TsimSampleLane *lane)
{
    double dx[3];
    double dy[3];

    scale_gradient(setup, lane->ddx, dx);
    scale_gradient(setup, lane->ddy, dy);

    const double dx_squared = dot(dx, dx);
    const double dy_squared = dot(dy, dy);
    /* NaN must win: fmax would drop it. */
    const double largest_squared =
        dx_squared + dy_squared < HUGE_VAL ? fmax(dx_squared, dy_squared) : dx_squared + dy_squared;

    if (setup->sampler.anisotropic && setup->axes == 2 && largest_squared > 0.0 &&
        isfinite(largest_squared)) {
        return anisotropic_footprint(setup, lane, dx, dy);
    }
    return (Footprint){.lod = 0.5 * log2(largest_squared), .samples = 1};
}

static Footprint lane_footprint(const TsimFeedbackSetup *setup, const TsimSampleLane *lane)
{
    Footprint footprint = {.lod = lane->lod, .samples = 1};

    if (setup->instruction.kind != TSIM_SAMPLE_LEVEL) {
        footprint = gradient_footprint(setup, lane);
    }
    footprint.lod += setup->sampler.mip_bias;
    if (setup->instruction.kind == TSIM_SAMPLE_BIAS) {
        footprint.lod += lane->lod;
    }
    /* fmin and fmax drop a NaN as the min and max of Direct3D do: it becomes max_lod. */
    footprint.lod = fmin(setup->sampler.max_lod, footprint.lod);
    footprint.lod = fmax(setup->sampler.min_lod, footprint.lod);
    footprint.lod = fmax(lane->lod_clamp, footprint.lod);
    return footprint;
}

static void choose_mips(TsimFilter filter, uint32_t lod_fixed8, TsimFeedbackWrites *writes)
{
    const uint32_t floor_mip = lod_fixed8 >> 8;
    const gboolean linear = filter == TSIM_FILTER_LINEAR;

    writes->mips[0] = linear ? floor_mip : (lod_fixed8 + 128) >> 8;
    /* lod never exceeds the last mip: where there is a fraction there is a next mip. */
    writes->mips[1] = floor_mip + 1;
    writes->mip_count = linear && (lod_fixed8 & 255) != 0 ? 2 : 1;
}

/* ---- texels along an axis -------------------------------------------------------------------- */

double tsim_address_reduce(TsimAddressMode mode, double coordinate)
{
    double reduced;

    switch (mode) {
    case TSIM_ADDRESS_WRAP:
        reduced = coordinate - floor(coordinate);
        break;
    case TSIM_ADDRESS_MIRROR:
        reduced = 2.0 * (coordinate / 2.0 - trunc(coordinate / 2.0));
        break;
    case TSIM_ADDRESS_CLAMP:
    case TSIM_ADDRESS_MIRROR_ONCE:
    case TSIM_ADDRESS_BORDER:
    default:
        reduced = coordinate < -10.0 ? -10.0 : coordinate > 10.0 ? 10.0 : coordinate;
        break;
    }
    return isnan(reduced) ? 0.0 : reduced;
}

/* A reflection takes the centre of texel i to the centre of texel 2 * about - 1 - i. */
static TsimAddressed reflect(TsimAddressed at, int32_t about_texel, double about)
{
    return (TsimAddressed){2 * about_texel - 1 - at.texel, 2.0 * about - at.coordinate};
}

TsimAddressed tsim_address(TsimAddressMode mode, int32_t index, int32_t n, double coordinate)
{
    TsimAddressed at = {index, coordinate};

    switch (mode) {
    case TSIM_ADDRESS_WRAP:
        if (index < 0) {
            return (TsimAddressed){index + n, coordinate + 1.0};
        }
        return index >= n ? (TsimAddressed){index - n, coordinate - 1.0} : at;
    case TSIM_ADDRESS_MIRROR:
        at = at.texel < 0 ? reflect(at, 0, 0.0) : at;
        at = at.texel >= 2 * n ? (TsimAddressed){at.texel - 2 * n, at.coordinate - 2.0} : at;
        return at.texel >= n ? reflect(at, n, 1.0) : at;
    case TSIM_ADDRESS_MIRROR_ONCE:
        at = at.texel < 0 ? reflect(at, 0, 0.0) : at;
        at.texel = MIN(at.texel, n - 1);
        return at;
    case TSIM_ADDRESS_BORDER:
        at.texel = index < 0 || index >= n ? TSIM_ADDRESS_NO_TEXEL : index;
        return at;
    case TSIM_ADDRESS_CLAMP:
    default:
        at.texel = CLAMP(index, 0, n - 1);
        return at;
    }
}

/* Among the map texels (of n) that texture texel (of size) covers, the one nearest to the sample.
 * Where a mip is no smaller than the map and sizes are powers of two this is a right shift. */
static int32_t region_of_texel(TsimAddressed at, int32_t size, int32_t n)
{
    const int32_t first = at.texel * n / size;
    const int32_t last = ((at.texel + 1) * n + size - 1) / size - 1;

    if (first == last) {
        return first;
    }

    const double nearest = floor(at.coordinate * n);

    return CLAMP((int32_t)nearest, first, last);
}

typedef struct {
    uint32_t count;
    uint16_t texels[2];
} Taps;

static void add_tap(Taps *taps, int32_t texel)
{
    if (taps->count == 0 || taps->texels[0] != (uint16_t)texel) {
        taps->texels[taps->count++] = (uint16_t)texel;
    }
}

static Taps axis_taps(const TsimFeedbackSetup *setup, gboolean linear, uint32_t axis, uint32_t mip,
                      double coordinate)
{
    const TsimAddressMode mode = setup->sampler.address[axis];
    const gboolean on_texture = setup->footprint == TSIM_FOOTPRINT_TEXTURE;
    const int32_t map_size = (int32_t)setup->map_size[mip][axis];
    const int32_t size = on_texture ? (int32_t)setup->mip_size[mip][axis] : map_size;
    const double reduced = tsim_address_reduce(mode, coordinate);
    const double position = reduced * size - (linear ? 0.5 : 0.0);
    const int32_t fixed8 = (int32_t)lrint(position * 256.0);
    const int32_t count = linear && (fixed8 & 255) != 0 ? 2 : 1;
    Taps taps = {0};

    for (int32_t i = 0; i < count; i++) {
        const TsimAddressed at = tsim_address(mode, (fixed8 >> 8) + i, size, reduced);

        if (at.texel != TSIM_ADDRESS_NO_TEXEL) {
            add_tap(&taps, on_texture ? region_of_texel(at, size, map_size) : at.texel);
        }
    }
    return taps;
}

/* ---- texels of the operation ----------------------------------------------------------------- */

static void add_texel(TsimFeedbackWrites *writes, TsimFeedbackTexel texel)
{
    const uint64_t key = tsim_feedback_texel_key(texel);

    /* Newest first: neighbouring taps repeat each other's texels. */
    for (uint32_t i = writes->texel_count; i > 0; i--) {
        if (tsim_feedback_texel_key(writes->texels[i - 1]) == key) {
            return;
        }
    }
    TSIM_ASSERT_HOT(writes->texel_count < TSIM_FEEDBACK_MAX_TEXELS);
    writes->texels[writes->texel_count++] = texel;
}

static uint16_t array_slice(const TsimTexture *texture, double coordinate)
{
    const double last = texture->slices - 1;
    /* Written so that NaN is slice 0. */
    const double slice = coordinate > 0.0 ? fmin(rint(coordinate), last) : 0.0;

    return (uint16_t)slice;
}

static void add_sample(const TsimFeedbackSetup *setup, gboolean linear, uint32_t mip,
                       const double uvw[3], TsimFeedbackWrites *writes)
{
    const TsimTexture *texture = &setup->descriptor.texture;
    const uint16_t level = setup->descriptor.kind == TSIM_FEEDBACK_MINMIP ? 0 : (uint16_t)mip;
    Taps taps[3] = {{1, {0}}, {1, {0}}, {1, {0}}};

    for (uint32_t axis = 0; axis < 3 && axis < setup->axes; axis++) {
        taps[axis] = axis_taps(setup, linear, axis, mip, uvw[axis]);
    }
    if (texture->type == TSIM_TEXTURE_2D_ARRAY) {
        taps[2].texels[0] = array_slice(texture, uvw[2]);
    }
    for (uint32_t w = 0; w < taps[2].count; w++) {
        for (uint32_t v = 0; v < taps[1].count; v++) {
            for (uint32_t u = 0; u < taps[0].count; u++) {
                add_texel(writes, (TsimFeedbackTexel){taps[0].texels[u], taps[1].texels[v],
                                                      taps[2].texels[w], level});
            }
        }
    }
}

static void add_line(const TsimFeedbackSetup *setup, gboolean linear, const TsimSampleLane *lane,
                     const double *line, TsimFeedbackWrites *writes)
{
    /* A MinMip map has one grid: on it, the second mip selects what the first did. */
    const gboolean one_grid = setup->descriptor.kind == TSIM_FEEDBACK_MINMIP &&
                              setup->footprint == TSIM_FOOTPRINT_FEEDBACK;
    const uint32_t grids = one_grid ? 1 : writes->mip_count;

    for (uint32_t i = 0; i < writes->samples; i++) {
        const double along = (2.0 * i + 1.0) / (2.0 * writes->samples) - 0.5;
        double uvw[3] = {lane->uvw[0], lane->uvw[1], lane->uvw[2]};

        for (uint32_t axis = 0; line != NULL && axis < setup->axes; axis++) {
            uvw[axis] += along * line[axis];
        }
        for (uint32_t m = 0; m < grids; m++) {
            add_sample(setup, linear, writes->mips[m], uvw, writes);
        }
    }
}

void tsim_feedback_sample(const TsimFeedbackSetup *setup, const TsimSampleLane *lane,
                          TsimFeedbackWrites *ret_writes)
{
    const TsimSampler *sampler = &setup->sampler;
    const Footprint footprint = lane_footprint(setup, lane);
    const TsimFilter within = footprint.lod <= 0.0 ? sampler->mag : sampler->min;
    const gboolean linear = sampler->anisotropic || within == TSIM_FILTER_LINEAR;
    const TsimFilter between = sampler->anisotropic ? TSIM_FILTER_LINEAR : sampler->mip;
    const double last_mip = setup->descriptor.texture.mips - 1;

    ret_writes->lod = CLAMP(footprint.lod, 0.0, last_mip);

    const uint32_t lod_fixed8 = tsim_feedback_lod_fixed8(ret_writes->lod);
    const gboolean minmip = setup->descriptor.kind == TSIM_FEEDBACK_MINMIP;

    ret_writes->samples = footprint.samples;
    ret_writes->value = minmip ? (uint8_t)(lod_fixed8 >> 5) : TSIM_FEEDBACK_USED;
    ret_writes->texel_count = 0;
    choose_mips(between, lod_fixed8, ret_writes);
    add_line(setup, linear, lane, footprint.line, ret_writes);
}
