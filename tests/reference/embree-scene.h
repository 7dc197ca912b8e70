/* Embree 3 in robust mode as a second opinion on rays: one mesh, one ray at a time. */
#pragma once

#include "workload/mesh.h"
#include "workload/rays.h"

#include <embree3/rtcore.h>

/* Borrows the mesh. The caller releases the scene, then the device. */
RTCScene embree_scene_new(RTCDevice device, const TsimMesh *mesh);

/* The nearest hit; hit.geomID is RTC_INVALID_GEOMETRY_ID when there is none. */
struct RTCRayHit embree_intersect(RTCScene scene, const TsimRay *ray);
