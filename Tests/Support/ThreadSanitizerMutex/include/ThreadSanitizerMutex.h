// Shows the thread sanitizer what Swift's `Mutex` does when threads wait for one another; see the
// implementation. There is nothing to call: it is enough to link it.
#ifndef CONTRAIL_THREAD_SANITIZER_MUTEX_H
#define CONTRAIL_THREAD_SANITIZER_MUTEX_H
#endif
