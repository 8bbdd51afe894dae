// Reads JSON and keeps nothing of it: the least that taking a request apart can cost.
#ifndef CONTRAIL_SERVER_FLOORS_JSON_WALK_H
#define CONTRAIL_SERVER_FLOORS_JSON_WALK_H

#include <stddef.h>
#include <stdint.h>

// Whether the bytes are one well-formed value. Looks at every byte once, and not at UTF-8.
int json_walk(const uint8_t *bytes, size_t count);

#endif
