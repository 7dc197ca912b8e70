#include "workload/feedback-stream.h"

#include "base/error.h"
#include "hw/feedback-codec.h"

#include <math.h>

#define NEVER UINT32_MAX

typedef enum {
    TILE_ABSENT,
    TILE_LOADING,
    TILE_RESIDENT,
} TileState;

typedef struct {
    TileState state;
    uint32_t due_frame;    /* of a load */
    uint32_t wanted_frame; /* when it was last wanted, or NEVER */
} Tile;

typedef struct {
    uint32_t width, height; /* tiles */
    Tile *tiles;
} TileLevel;

struct TsimFeedbackStream {
    TsimFeedbackStreamSpec spec;
    uint32_t frame;
    uint32_t first_sharp_frame;
    uint32_t packed_mip;
    TileLevel levels[TSIM_TEXTURE_MAX_MIPS]; /* of the mips that are not packed */
    uint64_t tiles_resident, tiles_loading;
    TsimFeedbackSetup wish;  /* MinMip, what the feedback hardware does */
    TsimFeedbackSetup reads; /* MipRegionUsed with tiles for regions: the tiles a sample reads */
    TsimFeedbackMap *map;
    TsimFeedbackMap *needed; /* tiles that the frame's pixels would read */
    TsimFeedbackMerger *merger;
    uint8_t *residency;
    double missing_lod;
    TsimFeedbackStreamFrame now;
};

/* ---- the description ------------------------------------------------------------------------- */

#define FIELD(name, type, member, unit, min, max, initial, words, blurb)                           \
    {                                                                                              \
        name, type, offsetof(TsimFeedbackStreamSpec, member), unit, min, max, initial, words,      \
            FALSE, blurb                                                                           \
    }
#define FIELD_U32(name, member, unit, min, max, initial, blurb)                                    \
    FIELD(name, TSIM_FIELD_U32, member, unit, min, max, initial, NULL, blurb)
#define FIELD_REAL(name, member, unit, min, max, initial, blurb)                                   \
    FIELD(name, TSIM_FIELD_REAL, member, unit, min, max, initial, NULL, blurb)
#define FIELD_WORD(name, member, initial, words, blurb)                                            \
    FIELD(name, TSIM_FIELD_ENUM, member, "", 0, 0, initial, words, blurb)

#define FIELD_BOOL(name, member, blurb)                                                            \
    FIELD(name, TSIM_FIELD_BOOL, member, "", 0, 1, 0, NULL, blurb)
#define FIELD_END                                                                                  \
    {                                                                                              \
        NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL                                 \
    }

const TsimField tsim_feedback_texture_fields[] = {
    FIELD_U32("width", texture.width, "texels", 1, TSIM_TEXTURE_MAX_SIZE, 16384, "Width of mip 0"),
    FIELD_U32("height", texture.height, "texels", 1, TSIM_TEXTURE_MAX_SIZE, 16384,
              "Height of mip 0"),
    FIELD_U32("mips", texture.mips, "", 0, TSIM_TEXTURE_MAX_MIPS, 0, "Mips; 0 is the full chain"),
    FIELD_U32("samples", texture.samples, "", 1, 16, 1,
              "Samples of a texel; more than 1 is refused (S6)"),
    FIELD_WORD("format", format, TSIM_TEXEL_BC7, tsim_texel_format_names,
               "Texel format, which sets the shape of a 64 KB tile"),
    FIELD_END,
};

const TsimField tsim_feedback_sampler_fields[] = {
    FIELD_WORD("min_filter", sampler.min, TSIM_FILTER_LINEAR, tsim_filter_names,
               "Filter of minified texels"),
    FIELD_WORD("mag_filter", sampler.mag, TSIM_FILTER_LINEAR, tsim_filter_names,
               "Filter of magnified texels"),
    FIELD_WORD("mip_filter", sampler.mip, TSIM_FILTER_LINEAR, tsim_filter_names,
               "Filter between mips"),
    FIELD_BOOL("anisotropic", sampler.anisotropic, "Anisotropic filtering, linear throughout"),
    FIELD_U32("max_aniso", sampler.max_aniso, "", 1, TSIM_SAMPLER_MAX_ANISO, 8,
              "Most samples along the line of anisotropy"),
    FIELD_WORD("address_u", sampler.address[0], TSIM_ADDRESS_WRAP, tsim_address_mode_names,
               "Address mode along U"),
    FIELD_WORD("address_v", sampler.address[1], TSIM_ADDRESS_WRAP, tsim_address_mode_names,
               "Address mode along V"),
    FIELD_REAL("mip_bias", sampler.mip_bias, "LOD", -16, 15.99, 0, "Added to every LOD"),
    FIELD_REAL("min_lod", sampler.min_lod, "LOD", 0, 15, 0, "Most detailed LOD"),
    FIELD_REAL("max_lod", sampler.max_lod, "LOD", 0, 15, 15, "Least detailed LOD"),
    FIELD_BOOL("unnormalised", sampler.unnormalised, "Coordinates in texels; refused (S6)"),
    FIELD_END,
};

const TsimField tsim_feedback_map_fields[] = {
    FIELD_U32("region_width", region_width, "texels", 0, TSIM_TEXTURE_MAX_SIZE, 0,
              "Width of a map texel's region, a power of two; 0 is the tile's"),
    FIELD_U32("region_height", region_height, "texels", 0, TSIM_TEXTURE_MAX_SIZE, 0,
              "Height of a map texel's region, a power of two; 0 is the tile's"),
    FIELD_WORD("footprint", footprint, TSIM_FOOTPRINT_FEEDBACK, tsim_footprint_names,
               "Grid on which feedback selects its texels: the map's, or the texture's"),
    FIELD_WORD("merge_texels", merge.texels, TSIM_FEEDBACK_WINDOW_QUAD, tsim_feedback_window_names,
               "Lanes among which equal texels are merged"),
    FIELD_WORD("merge_requests", merge.requests, TSIM_FEEDBACK_WINDOW_WAVE,
               tsim_feedback_window_names, "Lanes whose writes share a 64-byte request"),
    FIELD_END,
};

const TsimField tsim_feedback_residency_fields[] = {
    FIELD_WORD("filter", filter.lookup, TSIM_RESIDENCY_MINMIP, tsim_residency_lookup_names,
               "Lookup in the residency map (S7)"),
    FIELD_WORD("filter_order", filter.order, TSIM_RESIDENCY_U_FIRST, tsim_residency_order_names,
               "Axis that the filter does first"),
    FIELD_REAL("slope_u", filter.u.slope, "", 2.5, 64, 4, "Slope along U"),
    FIELD_REAL("slope_v", filter.v.slope, "", 2.5, 64, 4, "Slope along V"),
    FIELD_REAL("offset_u", filter.u.offset, "map texels", 0.0078125, 0.25, 0.125, "Offset along U"),
    FIELD_REAL("offset_v", filter.v.offset, "map texels", 0.0078125, 0.25, 0.125, "Offset along V"),
    FIELD("budget_bytes", TSIM_FIELD_U64, budget_bytes, "bytes", 0, 0x1p40, 0, NULL,
          "Memory for tiles; 0 is no limit"),
    FIELD_U32("latency_frames", latency_frames, "frames", 0, 1000, 2, "From request to residency"),
    FIELD_U32("loads_per_frame", loads_per_frame, "tiles", 1, 1000000, 64,
              "Most loads that start in a frame"),
    FIELD_U32("evict_after_frames", evict_after_frames, "frames", 0, 1000000, 30,
              "How long a tile stays when nothing wants it"),
    FIELD_U32("max_step", max_step, "LOD", 0, 15, 0,
              "Most LODs between neighbours of the residency map; 0 is no limit"),
    FIELD_REAL("sharp_fraction", sharp_fraction, "", 0, 1, 0.001,
               "Share of blurred pixels that a sharp frame may have"),
    FIELD_END,
};

void tsim_feedback_stream_spec_init(TsimFeedbackStreamSpec *spec)
{
    *spec = (TsimFeedbackStreamSpec){
        .texture = {.type = TSIM_TEXTURE_2D, .depth = 1, .slices = 1},
    };
    tsim_fields_init(tsim_feedback_texture_fields, spec);
    tsim_fields_init(tsim_feedback_sampler_fields, spec);
    tsim_fields_init(tsim_feedback_map_fields, spec);
    tsim_fields_init(tsim_feedback_residency_fields, spec);
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static gboolean is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

TsimFeedbackStreamSpec tsim_feedback_stream_spec_complete(TsimFeedbackStreamSpec spec)
{
    const TsimExtent tile = tsim_texture_tile_extent(spec.format);
    const uint32_t largest = MAX(spec.texture.width, spec.texture.height);

    spec.texture.mips = spec.texture.mips != 0 ? spec.texture.mips : g_bit_storage(largest);
    spec.region_width = spec.region_width != 0 ? spec.region_width : tile.width;
    spec.region_height = spec.region_height != 0 ? spec.region_height : tile.height;
    for (uint32_t axis = 0; axis < 3; axis++) {
        spec.filter.address[axis] = spec.sampler.address[axis];
    }
    return spec;
}

static gboolean check_spec(const TsimFeedbackStreamSpec *spec, GError **error)
{
    const TsimTexture *texture = &spec->texture;

    if (texture->type != TSIM_TEXTURE_2D || !is_power_of_two(texture->width) ||
        !is_power_of_two(texture->height)) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "streamed texture of %u x %u: must be 2d with sizes that are powers of two",
                    texture->width, texture->height);
        return FALSE;
    }
    return tsim_residency_filter_check(&spec->filter, error);
}

static gboolean set_up_sampling(TsimFeedbackStream *stream, GError **error)
{
    const TsimFeedbackStreamSpec *spec = &stream->spec;
    const TsimExtent tile = tsim_texture_tile_extent(spec->format);
    TsimFeedbackDescriptor wish;
    TsimFeedbackDescriptor reads;

    return tsim_feedback_descriptor_init(&wish, &spec->texture, TSIM_FEEDBACK_MINMIP,
                                         spec->region_width, spec->region_height, error) &&
           tsim_feedback_setup_init(&stream->wish, &wish, &spec->sampler, &spec->instruction,
                                    spec->footprint, error) &&
           tsim_feedback_descriptor_init(&reads, &spec->texture, TSIM_FEEDBACK_MIP_REGION_USED,
                                         tile.width, tile.height, error) &&
           tsim_feedback_setup_init(&stream->reads, &reads, &spec->sampler, &spec->instruction,
                                    TSIM_FOOTPRINT_TEXTURE, error);
}

/* FALSE when the chain ends before it fits into a tile: there must be something to fall back on. */
static gboolean set_up_tiles(TsimFeedbackStream *stream, GError **error)
{
    const TsimTexture *texture = &stream->spec.texture;
    const TsimExtent tile = tsim_texture_tile_extent(stream->spec.format);

    for (uint32_t mip = 0; mip < texture->mips; mip++) {
        const TsimExtent extent = tsim_texture_mip_extent(texture, mip);
        TileLevel *level = &stream->levels[mip];

        if (extent.width < tile.width || extent.height < tile.height) {
            return TRUE;
        }
        level->width = extent.width / tile.width;
        level->height = extent.height / tile.height;
        level->tiles = g_new0(Tile, (size_t)level->width * level->height);
        for (uint32_t i = 0; i < level->width * level->height; i++) {
            level->tiles[i].wanted_frame = NEVER;
        }
        stream->packed_mip = mip + 1;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                "texture mips %u: a streamed texture needs a mip that is smaller than a tile of "
                "%u x %u, which is always resident",
                texture->mips, tile.width, tile.height);
    return FALSE;
}

static size_t residency_texels(const TsimFeedbackStream *stream)
{
    return (size_t)stream->map->levels[0].width * stream->map->levels[0].height;
}

static gboolean set_up_maps(TsimFeedbackStream *stream, GError **error)
{
    stream->map = tsim_feedback_map_new(&stream->wish.descriptor, error);
    if (stream->map == NULL) {
        return FALSE;
    }
    stream->needed = tsim_feedback_map_new(&stream->reads.descriptor, error);
    if (stream->needed == NULL) {
        return FALSE;
    }
    stream->merger =
        tsim_feedback_merger_new(&stream->wish, stream->map, stream->spec.merge, error);
    stream->residency = g_new0(uint8_t, residency_texels(stream));
    memset(stream->residency, tsim_feedback_encode_level(stream->packed_mip),
           residency_texels(stream));
    return stream->merger != NULL;
}

TsimFeedbackStream *tsim_feedback_stream_new(const TsimFeedbackStreamSpec *spec, GError **error)
{
    TsimFeedbackStream *stream = g_new0(TsimFeedbackStream, 1);

    stream->spec = tsim_feedback_stream_spec_complete(*spec);
    stream->first_sharp_frame = NEVER;
    if (check_spec(&stream->spec, error) && set_up_sampling(stream, error) &&
        set_up_tiles(stream, error) && set_up_maps(stream, error)) {
        return stream;
    }
    tsim_feedback_stream_free(stream);
    return NULL;
}

void tsim_feedback_stream_free(TsimFeedbackStream *stream)
{
    if (stream == NULL) {
        return;
    }
    for (uint32_t mip = 0; mip < stream->packed_mip; mip++) {
        g_free(stream->levels[mip].tiles);
    }
    tsim_feedback_merger_free(stream->merger);
    tsim_feedback_map_free(stream->map);
    tsim_feedback_map_free(stream->needed);
    g_free(stream->residency);
    g_free(stream);
}

const TsimFeedbackMap *tsim_feedback_stream_map(const TsimFeedbackStream *stream)
{
    return stream->map;
}

TsimResidencyMap tsim_feedback_stream_residency(const TsimFeedbackStream *stream)
{
    const TsimFeedbackLevel *level = &stream->map->levels[0];

    return (TsimResidencyMap){2, {level->width, level->height, 1}, stream->residency};
}

uint32_t tsim_feedback_stream_packed_mip(const TsimFeedbackStream *stream)
{
    return stream->packed_mip;
}

uint32_t tsim_feedback_stream_frames_until_sharp(const TsimFeedbackStream *stream)
{
    return stream->first_sharp_frame;
}

/* ---- sampling -------------------------------------------------------------------------------- */

void tsim_feedback_stream_begin_frame(TsimFeedbackStream *stream)
{
    tsim_feedback_map_clear(stream->map);
    tsim_feedback_map_clear(stream->needed);
    stream->missing_lod = 0.0;
    stream->now = (TsimFeedbackStreamFrame){0};
}

static const Tile *tile_of(const TsimFeedbackStream *stream, TsimFeedbackTexel texel)
{
    const TileLevel *level = &stream->levels[texel.level];

    return &level->tiles[texel.y * level->width + texel.x];
}

static gboolean touches_absent_tile(const TsimFeedbackStream *stream,
                                    const TsimFeedbackWrites *reads)
{
    for (uint32_t i = 0; i < reads->texel_count; i++) {
        const TsimFeedbackTexel texel = reads->texels[i];

        if (texel.level < stream->packed_mip && tile_of(stream, texel)->state != TILE_RESIDENT) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Returns the clamp of the dependent sample. */
static double see_pixel(TsimFeedbackStream *stream, const TsimResidencyMap *residency,
                        const TsimSampleLane *lane)
{
    TsimFeedbackWrites reads;
    TsimSampleLane clamped = *lane;

    tsim_feedback_sample(&stream->reads, lane, &reads);
    for (uint32_t i = 0; i < reads.texel_count; i++) {
        tsim_feedback_map_set(stream->needed, reads.texels[i], TSIM_FEEDBACK_USED);
    }
    clamped.lod_clamp = tsim_residency_lookup(&stream->spec.filter, residency, lane->uvw);
    if (clamped.lod_clamp > reads.lod) {
        stream->missing_lod += clamped.lod_clamp - reads.lod;
        stream->now.blurred_pixels++;
        tsim_feedback_sample(&stream->reads, &clamped, &reads);
    }
    stream->now.leak_pixels += touches_absent_tile(stream, &reads) ? 1 : 0;
    stream->now.pixels++;
    return clamped.lod_clamp;
}

void tsim_feedback_stream_wave(TsimFeedbackStream *stream, const TsimFeedbackSceneWave *wave,
                               TsimFeedbackWave *ret_merged, double *ret_clamps)
{
    const TsimResidencyMap residency = tsim_feedback_stream_residency(stream);

    tsim_feedback_merge_wave(stream->merger, wave->lanes, wave->lane_count, wave->writes,
                             ret_merged);
    stream->now.operations += ret_merged->lanes;
    stream->now.lane_writes += ret_merged->lane_writes;
    stream->now.merged_writes += ret_merged->merged_writes;
    stream->now.requests += ret_merged->request_count;
    for (uint32_t i = 0; i < wave->lane_count; i++) {
        if ((wave->active >> i & 1) != 0) {
            ret_clamps[i] = see_pixel(stream, &residency, &wave->lanes[i]);
        }
    }
}

/* ---- policy ---------------------------------------------------------------------------------- */

/* Tiles of a mip that lie under texel i of the map, along one axis: first .. last. */
static uint32_t first_tile(uint32_t i, uint32_t map_size, uint32_t tiles)
{
    return (uint32_t)((uint64_t)i * tiles / map_size);
}

static uint32_t last_tile(uint32_t i, uint32_t map_size, uint32_t tiles)
{
    return (uint32_t)(((uint64_t)(i + 1) * tiles - 1) / map_size);
}

static void want_region(TsimFeedbackStream *stream, uint32_t x, uint32_t y, uint32_t mip)
{
    const TsimFeedbackLevel *map = &stream->map->levels[0];
    const TileLevel *level = &stream->levels[mip];
    const uint32_t right = last_tile(x, map->width, level->width);
    const uint32_t bottom = last_tile(y, map->height, level->height);

    for (uint32_t ty = first_tile(y, map->height, level->height); ty <= bottom; ty++) {
        for (uint32_t tx = first_tile(x, map->width, level->width); tx <= right; tx++) {
            level->tiles[ty * level->width + tx].wanted_frame = stream->frame;
        }
    }
}

static void read_wishes(TsimFeedbackStream *stream)
{
    const TsimFeedbackLevel *map = &stream->map->levels[0];

    for (uint32_t y = 0; y < map->height; y++) {
        for (uint32_t x = 0; x < map->width; x++) {
            const TsimFeedbackTexel texel = {(uint16_t)x, (uint16_t)y, 0, 0};
            const uint8_t level =
                tsim_feedback_decode_level(tsim_feedback_map_get(stream->map, texel));

            /* No level is 255: nothing is wanted then. */
            for (uint32_t mip = level; mip < stream->packed_mip; mip++) {
                want_region(stream, x, y, mip);
            }
        }
    }
}

static void finish_loads(TsimFeedbackStream *stream)
{
    for (uint32_t mip = 0; mip < stream->packed_mip; mip++) {
        const TileLevel *level = &stream->levels[mip];

        for (uint32_t i = 0; i < level->width * level->height; i++) {
            Tile *tile = &level->tiles[i];

            if (tile->state == TILE_LOADING && tile->due_frame <= stream->frame) {
                tile->state = TILE_RESIDENT;
                stream->tiles_loading--;
                stream->tiles_resident++;
                stream->now.loads_finished++;
            }
        }
    }
}

static gboolean carries_finer_tile(const TsimFeedbackStream *stream, uint32_t mip, uint32_t index)
{
    if (mip == 0) {
        return FALSE;
    }

    const TileLevel *level = &stream->levels[mip];
    const TileLevel *finer = &stream->levels[mip - 1];
    const uint32_t x = index % level->width * 2;
    const uint32_t y = index / level->width * 2;

    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t fx = x + (i & 1);
        const uint32_t fy = y + (i >> 1);

        if (finer->tiles[fy * finer->width + fx].state != TILE_ABSENT) {
            return TRUE;
        }
    }
    return FALSE;
}

static uint32_t age(const TsimFeedbackStream *stream, const Tile *tile)
{
    return tile->wanted_frame == NEVER ? NEVER : stream->frame - tile->wanted_frame;
}

static void evict(TsimFeedbackStream *stream, Tile *tile)
{
    tile->state = TILE_ABSENT;
    stream->tiles_resident--;
    stream->now.evictions++;
}

/* Finest mips first, so that a whole chain can go in one frame. */
static void evict_unwanted(TsimFeedbackStream *stream)
{
    for (uint32_t mip = 0; mip < stream->packed_mip; mip++) {
        const TileLevel *level = &stream->levels[mip];

        for (uint32_t i = 0; i < level->width * level->height; i++) {
            Tile *tile = &level->tiles[i];

            if (tile->state == TILE_RESIDENT &&
                age(stream, tile) > stream->spec.evict_after_frames &&
                !carries_finer_tile(stream, mip, i)) {
                evict(stream, tile);
            }
        }
    }
}

/* The tile that was wanted longest ago, not in this frame; NULL when there is none. */
static Tile *oldest_tile(TsimFeedbackStream *stream)
{
    Tile *oldest = NULL;

    for (uint32_t mip = 0; mip < stream->packed_mip; mip++) {
        const TileLevel *level = &stream->levels[mip];

        for (uint32_t i = 0; i < level->width * level->height; i++) {
            Tile *tile = &level->tiles[i];

            if (tile->state == TILE_RESIDENT && age(stream, tile) > 0 &&
                (oldest == NULL || age(stream, tile) > age(stream, oldest)) &&
                !carries_finer_tile(stream, mip, i)) {
                oldest = tile;
            }
        }
    }
    return oldest;
}

static gboolean make_room(TsimFeedbackStream *stream)
{
    const uint64_t tiles = stream->spec.budget_bytes / TSIM_TEXTURE_TILE_BYTES;

    if (stream->spec.budget_bytes == 0 || stream->tiles_resident + stream->tiles_loading < tiles) {
        return TRUE;
    }

    Tile *oldest = oldest_tile(stream);

    if (oldest == NULL) {
        return FALSE;
    }
    evict(stream, oldest);
    return stream->tiles_resident + stream->tiles_loading < tiles;
}

/* TRUE while more loads may start. */
static gboolean load_level(TsimFeedbackStream *stream, uint32_t mip)
{
    const TileLevel *level = &stream->levels[mip];

    for (uint32_t i = 0; i < level->width * level->height; i++) {
        Tile *tile = &level->tiles[i];

        if (tile->state != TILE_ABSENT || tile->wanted_frame != stream->frame) {
            continue;
        }
        if (stream->now.loads_started >= stream->spec.loads_per_frame || !make_room(stream)) {
            return FALSE;
        }
        tile->state = TILE_LOADING;
        tile->due_frame = stream->frame + stream->spec.latency_frames;
        stream->tiles_loading++;
        stream->now.loads_started++;
    }
    return TRUE;
}

static void start_loads(TsimFeedbackStream *stream)
{
    uint32_t mip = stream->packed_mip;
    gboolean room = TRUE;

    while (room && mip > 0) {
        mip--;
        room = load_level(stream, mip);
    }
}

/* ---- the residency map ----------------------------------------------------------------------- */

static gboolean region_resident(const TsimFeedbackStream *stream, uint32_t x, uint32_t y,
                                uint32_t mip)
{
    const TsimFeedbackLevel *map = &stream->map->levels[0];
    const TileLevel *level = &stream->levels[mip];
    const uint32_t right = last_tile(x, map->width, level->width);
    const uint32_t bottom = last_tile(y, map->height, level->height);

    for (uint32_t ty = first_tile(y, map->height, level->height); ty <= bottom; ty++) {
        for (uint32_t tx = first_tile(x, map->width, level->width); tx <= right; tx++) {
            if (level->tiles[ty * level->width + tx].state != TILE_RESIDENT) {
                return FALSE;
            }
        }
    }
    return TRUE;
}

/* Raises texels that are too fine for a neighbour; TRUE when one was raised. The edges of the map
 * have no neighbours beyond them. */
static gboolean limit_steps(TsimFeedbackStream *stream)
{
    const TsimFeedbackLevel *map = &stream->map->levels[0];
    const uint32_t step = stream->spec.max_step * 8;
    gboolean raised = FALSE;

    for (uint32_t i = 0; i < map->width * map->height; i++) {
        const uint32_t x = i % map->width;
        const uint32_t y = i / map->width;
        uint8_t coarsest = 0;

        for (uint32_t ny = y - (y > 0); ny <= MIN(y + 1, map->height - 1); ny++) {
            for (uint32_t nx = x - (x > 0); nx <= MIN(x + 1, map->width - 1); nx++) {
                coarsest = MAX(coarsest, stream->residency[ny * map->width + nx]);
            }
        }
        if (stream->residency[i] + step < coarsest) {
            stream->residency[i] = (uint8_t)(coarsest - step);
            raised = TRUE;
        }
    }
    return raised;
}

static void write_residency(TsimFeedbackStream *stream)
{
    const TsimFeedbackLevel *map = &stream->map->levels[0];

    for (uint32_t i = 0; i < map->width * map->height; i++) {
        uint32_t mip = stream->packed_mip;

        while (mip > 0 && region_resident(stream, i % map->width, i / map->width, mip - 1)) {
            mip--;
        }
        stream->residency[i] = tsim_feedback_encode_level(mip);
    }

    gboolean raised = stream->spec.max_step > 0;

    while (raised) {
        raised = limit_steps(stream);
    }
}

/* ---- end of a frame -------------------------------------------------------------------------- */

static uint64_t count_wanted(const TsimFeedbackStream *stream)
{
    uint64_t tiles = 0;

    for (uint32_t mip = 0; mip < stream->packed_mip; mip++) {
        const TileLevel *level = &stream->levels[mip];

        for (uint32_t i = 0; i < level->width * level->height; i++) {
            tiles += level->tiles[i].wanted_frame == stream->frame;
        }
    }
    return tiles;
}

/* A residency map can only offer a mip when the coarser ones are there: they count as needed. */
static uint64_t count_needed(TsimFeedbackStream *stream)
{
    uint64_t tiles = 0;

    for (uint32_t mip = 0; mip < stream->packed_mip; mip++) {
        const TileLevel *level = &stream->levels[mip];

        for (uint32_t i = 0; i < level->width * level->height; i++) {
            const uint16_t x = (uint16_t)(i % level->width);
            const uint16_t y = (uint16_t)(i / level->width);

            if (tsim_feedback_map_get(stream->needed,
                                      (TsimFeedbackTexel){x, y, 0, (uint16_t)mip}) == 0) {
                continue;
            }
            tiles++;
            if (mip + 1 < stream->packed_mip) {
                tsim_feedback_map_set(stream->needed,
                                      (TsimFeedbackTexel){x / 2, y / 2, 0, (uint16_t)(mip + 1)},
                                      TSIM_FEEDBACK_USED);
            }
        }
    }
    return tiles;
}

static void summarise(TsimFeedbackStream *stream, TsimFeedbackStreamFrame *ret_frame)
{
    TsimFeedbackStreamFrame *now = &stream->now;
    const double pixels = (double)MAX(now->pixels, 1);

    now->mean_missing_lod = stream->missing_lod / pixels;
    now->wanted_bytes = count_wanted(stream) * TSIM_TEXTURE_TILE_BYTES;
    now->needed_bytes = count_needed(stream) * TSIM_TEXTURE_TILE_BYTES;
    now->over_request_ratio =
        now->needed_bytes > 0 ? (double)now->wanted_bytes / (double)now->needed_bytes : 0.0;
    now->resident_bytes = stream->tiles_resident * TSIM_TEXTURE_TILE_BYTES;
    now->loading_bytes = stream->tiles_loading * TSIM_TEXTURE_TILE_BYTES;
    now->sharp = (double)now->blurred_pixels <= stream->spec.sharp_fraction * pixels;
    if (now->sharp) {
        stream->first_sharp_frame = MIN(stream->first_sharp_frame, stream->frame);
    }
    *ret_frame = *now;
}

void tsim_feedback_stream_end_frame(TsimFeedbackStream *stream, TsimFeedbackStreamFrame *ret_frame)
{
    read_wishes(stream);
    evict_unwanted(stream);
    start_loads(stream);
    finish_loads(stream);
    write_residency(stream);
    summarise(stream, ret_frame);
    stream->frame++;
}

void tsim_feedback_stream_run_frame(TsimFeedbackStream *stream, TsimFeedbackScene *scene,
                                    uint32_t frame, TsimFeedbackStreamFrame *ret_frame)
{
    TsimFeedbackSceneWave wave;
    TsimFeedbackWave merged;
    double clamps[TSIM_FEEDBACK_WAVE_LANES];

    tsim_feedback_scene_begin_frame(scene, frame);
    tsim_feedback_stream_begin_frame(stream);
    while (tsim_feedback_scene_next_wave(scene, &wave)) {
        tsim_feedback_stream_wave(stream, &wave, &merged, clamps);
    }
    tsim_feedback_stream_end_frame(stream, ret_frame);
}
