#include "workload/bvh-fan.h"

#include "base/hash.h"

#include <string.h>

#define NONE UINT32_MAX

/* A corner is 3 * triangle + place. */
typedef struct {
    uint32_t *vertex; /* of a corner: the first vertex at its position */
    uint32_t *first;  /* of a vertex: where its corners begin in `corners` */
    uint32_t *corners;
    uint8_t *used; /* of a triangle */
} Topology;

static guint hash_position(gconstpointer data)
{
    const float *position = data;
    uint64_t hash = 0;

    for (int axis = 0; axis < 3; axis++) {
        /* Adding zero makes the two zeros one. */
        const float value = position[axis] + 0.0f;
        uint32_t bits;

        memcpy(&bits, &value, sizeof bits);
        hash = tsim_mix64(hash ^ bits);
    }
    return (guint)hash;
}

static gboolean equal_positions(gconstpointer a, gconstpointer b)
{
    const float *left = a;
    const float *right = b;

    for (int axis = 0; axis < 3; axis++) {
        if (left[axis] < right[axis] || left[axis] > right[axis]) {
            return FALSE;
        }
    }
    return TRUE;
}

static uint32_t *merge_positions(const TsimMesh *mesh)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(hash_position, equal_positions);
    const uint32_t corner_count = 3 * mesh->triangle_count;
    g_autofree uint32_t *merged = g_new(uint32_t, mesh->vertex_count);
    uint32_t *vertex = g_new(uint32_t, corner_count);

    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        float *position = &mesh->positions[3 * (size_t)i];
        gpointer earlier = g_hash_table_lookup(seen, position);

        merged[i] = earlier != NULL ? GPOINTER_TO_UINT(earlier) - 1 : i;
        if (earlier == NULL) {
            g_hash_table_insert(seen, position, GUINT_TO_POINTER(i + 1));
        }
    }
    for (uint32_t corner = 0; corner < corner_count; corner++) {
        vertex[corner] = merged[mesh->indices[corner]];
    }
    return vertex;
}

static Topology topology_new(const TsimMesh *mesh)
{
    const uint32_t corner_count = 3 * mesh->triangle_count;
    Topology topology = {
        .vertex = merge_positions(mesh),
        .first = g_new0(uint32_t, (size_t)mesh->vertex_count + 2),
        .corners = g_new(uint32_t, corner_count),
        .used = g_new0(uint8_t, mesh->triangle_count),
    };
    uint32_t *next = topology.first + 1;

    /* Counting sort: after the second pass first[v] is where the corners of v begin. */
    for (uint32_t corner = 0; corner < corner_count; corner++) {
        next[topology.vertex[corner] + 1]++;
    }
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        next[vertex + 1] += next[vertex];
    }
    for (uint32_t corner = 0; corner < corner_count; corner++) {
        topology.corners[next[topology.vertex[corner]]++] = corner;
    }
    return topology;
}

static void topology_clear(Topology *topology)
{
    g_free(topology->vertex);
    g_free(topology->first);
    g_free(topology->corners);
    g_free(topology->used);
}

/* The corner `steps` further around its triangle. */
static uint32_t around(uint32_t corner, uint32_t steps)
{
    return corner - corner % 3 + (corner % 3 + steps) % 3;
}

static gboolean is_in_fan(const TsimBvhFan *fan, uint32_t triangle)
{
    for (unsigned i = 0; i < fan->triangle_count; i++) {
        if (fan->triangle[i] == triangle) {
            return TRUE;
        }
    }
    return FALSE;
}

/* A free triangle that goes on around the apex from `from`: its corner at the apex, or NONE. */
static uint32_t find_next(const Topology *topology, const TsimBvhFan *fan, uint32_t apex,
                          uint32_t from)
{
    for (uint32_t i = topology->first[apex]; i < topology->first[apex + 1]; i++) {
        const uint32_t corner = topology->corners[i];
        const uint32_t triangle = corner / 3;

        if (topology->vertex[around(corner, 1)] == from && !topology->used[triangle] &&
            !is_in_fan(fan, triangle)) {
            return corner;
        }
    }
    return NONE;
}

static void add_triangle(TsimBvhFan *fan, uint32_t apex_corner)
{
    const unsigned k = fan->triangle_count;
    const unsigned apex_place = k < 2 ? 2 : 0; /* V2 stands last in triangles 0 and 1 */

    fan->triangle[k] = apex_corner / 3;
    fan->rotation[k] = (uint8_t)((apex_corner % 3 + 3 - apex_place) % 3);
    fan->triangle_count++;
}

/* The longest fan that starts with the triangle of apex_corner and turns around that corner. */
static TsimBvhFan grow_fan(const Topology *topology, uint32_t apex_corner, unsigned limit)
{
    static const uint8_t last_vertex[TSIM_RAY_NODE_TRIANGLES] = {1, 3, 4, 0};
    const uint32_t *vertex = topology->vertex;
    const uint32_t apex = vertex[apex_corner];
    TsimBvhFan fan = {.triangle_count = 0};

    for (int i = 0; i < TSIM_RAY_NODE_VERTICES; i++) {
        fan.vertex[i] = apex;
    }
    fan.vertex[0] = vertex[around(apex_corner, 1)];
    fan.vertex[1] = vertex[around(apex_corner, 2)];
    add_triangle(&fan, apex_corner);
    for (unsigned k = 1; k < limit; k++) {
        const uint32_t next = find_next(topology, &fan, apex, fan.vertex[last_vertex[k - 1]]);
        const uint32_t end = next != NONE ? vertex[around(next, 2)] : NONE;

        /* The fourth triangle has to close the ring. */
        if (next == NONE || (k == 3 && end != fan.vertex[0])) {
            break;
        }
        fan.vertex[last_vertex[k]] = end;
        add_triangle(&fan, next);
    }
    return fan;
}

TsimBox tsim_bvh_fan_bounds(const TsimMesh *mesh, const TsimBvhFan *fan)
{
    TsimBox bounds = tsim_box_empty();

    for (int i = 0; i < TSIM_RAY_NODE_VERTICES; i++) {
        tsim_box_add_point(&bounds, tsim_mesh_position(mesh, fan->vertex[i]));
    }
    return bounds;
}

static double half_area(const TsimMesh *mesh, const TsimBvhFan *fan)
{
    const TsimBox bounds = tsim_bvh_fan_bounds(mesh, fan);

    return tsim_box_half_area(&bounds);
}

/* More triangles first, then the smaller box. */
static TsimBvhFan choose_fan(const TsimMesh *mesh, const Topology *topology, uint32_t triangle,
                             unsigned limit)
{
    TsimBvhFan best = grow_fan(topology, 3 * triangle, limit);

    for (uint32_t place = 1; place < 3; place++) {
        const TsimBvhFan fan = grow_fan(topology, 3 * triangle + place, limit);

        if (fan.triangle_count > best.triangle_count ||
            (fan.triangle_count == best.triangle_count &&
             half_area(mesh, &fan) < half_area(mesh, &best))) {
            best = fan;
        }
    }
    return best;
}

GArray *tsim_bvh_fan_group(const TsimMesh *mesh, unsigned triangles_per_node)
{
    GArray *fans = g_array_new(FALSE, FALSE, sizeof(TsimBvhFan));
    Topology topology = topology_new(mesh);

    for (uint32_t triangle = 0; triangle < mesh->triangle_count; triangle++) {
        if (topology.used[triangle]) {
            continue;
        }
        const TsimBvhFan fan = choose_fan(mesh, &topology, triangle, triangles_per_node);

        for (unsigned i = 0; i < fan.triangle_count; i++) {
            topology.used[fan.triangle[i]] = 1;
        }
        g_array_append_val(fans, fan);
    }
    topology_clear(&topology);
    return fans;
}
