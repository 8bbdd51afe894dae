// An entry of Swift's runtime that the language has no word for but `weak`.
#ifndef CONTRAIL_CSWIFTRUNTIME_SHIM_H
#define CONTRAIL_CSWIFTRUNTIME_SHIM_H

// Part of the ABI that `weak` and unowned references are compiled to.
void *swift_tryRetain(void *object);

// Takes a reference to an object; null where the object is being taken apart.
static inline void *contrail_retain_if_alive(void *object) { return swift_tryRetain(object); }

#endif
