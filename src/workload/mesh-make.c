#include "workload/mesh-make.h"

#include "base/error.h"
#include "base/hash.h"

#include <math.h>

#define OCTAVES   6
#define SOUP_SIZE 0.05

const char *const tsim_mesh_kind_names[] = {"sphere", "terrain", "soup", NULL};

/* In [0, 1), by number. */
static double draw(uint64_t seed, uint64_t stream, uint64_t index)
{
    return (double)(tsim_hash3(seed, stream, index) >> 11) * 0x1p-53;
}

static TsimMesh *new_mesh(uint32_t vertex_count, uint32_t triangle_count)
{
    TsimMesh *mesh = g_new(TsimMesh, 1);

    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    mesh->positions = g_new(float, 3 * (size_t)vertex_count);
    mesh->indices = g_new(uint32_t, 3 * (size_t)triangle_count);
    return mesh;
}

static void set_position(TsimMesh *mesh, uint32_t vertex, double x, double y, double z)
{
    float *position = &mesh->positions[3 * (size_t)vertex];

    position[0] = (float)x;
    position[1] = (float)y;
    position[2] = (float)z;
}

static uint32_t *add_triangle(uint32_t *next, uint32_t a, uint32_t b, uint32_t c)
{
    next[0] = a;
    next[1] = b;
    next[2] = c;
    return next + 3;
}

/* Vertex 0 and the last are the poles, the others stand ring by ring from the upper one. */
static void connect_sphere(TsimMesh *mesh, uint32_t rings, uint32_t sides)
{
    const uint32_t last = mesh->vertex_count - 1;
    uint32_t *next = mesh->indices;

    for (uint32_t side = 0; side < sides; side++) {
        const uint32_t beside = (side + 1) % sides;

        next = add_triangle(next, 0, 1 + beside, 1 + side);
        for (uint32_t ring = 0; ring + 2 < rings; ring++) {
            const uint32_t upper = 1 + ring * sides;
            const uint32_t lower = upper + sides;

            next = add_triangle(next, upper + side, upper + beside, lower + side);
            next = add_triangle(next, upper + beside, lower + beside, lower + side);
        }
        next = add_triangle(next, last, last - sides + side, last - sides + beside);
    }
}

static TsimMesh *make_sphere(uint32_t rings)
{
    const uint32_t sides = 2 * rings;
    TsimMesh *mesh = new_mesh((rings - 1) * sides + 2, 2 * (rings - 1) * sides);
    uint32_t vertex = 1;

    set_position(mesh, 0, 0, 1, 0);
    for (uint32_t ring = 1; ring < rings; ring++) {
        const double polar = G_PI * ring / rings;

        for (uint32_t side = 0; side < sides; side++, vertex++) {
            const double around = 2 * G_PI * side / sides;

            set_position(mesh, vertex, sin(polar) * cos(around), cos(polar),
                         sin(polar) * sin(around));
        }
    }
    set_position(mesh, vertex, 0, -1, 0);
    connect_sphere(mesh, rings, sides);
    return mesh;
}

/* Smooth interpolation between random heights on a grid of whole numbers. */
static double noise(uint64_t seed, unsigned octave, double x, double z)
{
    const double whole_x = floor(x);
    const double whole_z = floor(z);
    const double u = (x - whole_x) * (x - whole_x) * (3 - 2 * (x - whole_x));
    const double v = (z - whole_z) * (z - whole_z) * (3 - 2 * (z - whole_z));
    double height[2][2];

    for (int i = 0; i < 4; i++) {
        const uint64_t corner =
            ((uint64_t)whole_x + (uint64_t)(i / 2)) << 32 | ((uint64_t)whole_z + (uint64_t)(i % 2));

        height[i / 2][i % 2] = draw(seed, octave, corner);
    }
    return (height[0][0] * (1 - u) + height[1][0] * u) * (1 - v) +
           (height[0][1] * (1 - u) + height[1][1] * u) * v;
}

static double terrain_height(uint64_t seed, double x, double z)
{
    double height = 0.0;

    for (unsigned octave = 0; octave < OCTAVES; octave++) {
        const double scale = ldexp(1.0, (int)octave);

        height += noise(seed, octave, 2 * scale * (x + 1), 2 * scale * (z + 1)) * 0.4 / scale;
    }
    return height;
}

static TsimMesh *make_terrain(uint32_t squares, uint64_t seed)
{
    const uint32_t points = squares + 1;
    TsimMesh *mesh = new_mesh(points * points, 2 * squares * squares);
    uint32_t *next = mesh->indices;

    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        const uint32_t row = vertex / points;
        const double x = 2.0 * (vertex % points) / squares - 1.0;
        const double z = 2.0 * row / squares - 1.0;

        set_position(mesh, vertex, x, terrain_height(seed, x, z), z);
    }
    for (uint32_t square = 0; square < squares * squares; square++) {
        const uint32_t corner = square / squares * points + square % squares;

        next = add_triangle(next, corner, corner + points, corner + 1);
        next = add_triangle(next, corner + 1, corner + points, corner + points + 1);
    }
    return mesh;
}

static TsimMesh *make_soup(uint32_t triangles, uint64_t seed)
{
    TsimMesh *mesh = new_mesh(3 * triangles, triangles);

    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        double position[3];

        for (uint64_t axis = 0; axis < 3; axis++) {
            const double centre = 2 * draw(seed, axis, vertex / 3) - 1;

            position[axis] = centre + SOUP_SIZE * (2 * draw(seed, 3 + axis, vertex) - 1);
        }
        set_position(mesh, vertex, position[0], position[1], position[2]);
        mesh->indices[vertex] = vertex;
    }
    return mesh;
}

TsimMesh *tsim_mesh_make(TsimMeshKind kind, uint32_t size, uint64_t seed, GError **error)
{
    const uint32_t least = kind == TSIM_MESH_SOUP ? 1 : 2;
    const uint32_t most = kind == TSIM_MESH_SOUP ? TSIM_MESH_MAKE_MAX_SIZE * TSIM_MESH_MAKE_MAX_SIZE
                                                 : TSIM_MESH_MAKE_MAX_SIZE;

    if (size < least || size > most) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "mesh: size %u of a %s; %u to %u are allowed", size, tsim_mesh_kind_names[kind],
                    least, most);
        return NULL;
    }
    switch (kind) {
    case TSIM_MESH_SPHERE:
        return make_sphere(size);
    case TSIM_MESH_TERRAIN:
        return make_terrain(size, seed);
    case TSIM_MESH_SOUP:
        break;
    }
    return make_soup(size, seed);
}
