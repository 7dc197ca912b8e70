#include "embree-scene.h"

RTCScene embree_scene_new(RTCDevice device, const TsimMesh *mesh)
{
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);

    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               mesh->positions, 0, 12, mesh->vertex_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh->indices,
                               0, 12, mesh->triangle_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

struct RTCRayHit embree_intersect(RTCScene scene, const TsimRay *ray)
{
    struct RTCIntersectContext context;
    struct RTCRayHit query = {
        .ray = {.org_x = ray->origin[0],
                .org_y = ray->origin[1],
                .org_z = ray->origin[2],
                .dir_x = ray->direction[0],
                .dir_y = ray->direction[1],
                .dir_z = ray->direction[2],
                .tfar = ray->extent,
                .mask = UINT32_MAX},
        .hit = {.geomID = RTC_INVALID_GEOMETRY_ID},
    };

    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &query);
    return query;
}
