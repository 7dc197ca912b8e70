/* Traversals in words, for people who debug their own BVH: every node that a ray visits, every test
 * with its operands and results.
 */
#pragma once

#include "workload/traversal.h"

/* A line on the BVH itself: size, depth, cost. */
void tsim_ray_explain_bvh(const TsimBvh *bvh, GString *text);

/* Traces the ray and appends a paragraph a step, then the hit. Numbers have nine digits, which name
 * a binary32 exactly. */
void tsim_ray_explain(const TsimTraversalScene *scene, const TsimRay *ray, GString *text);
