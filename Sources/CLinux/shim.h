// What Swift's Glibc module leaves out. Functions that need _GNU_SOURCE are declared by hand.
//
// No header that Glibc has too (sys/socket.h, sys/un.h): its types would be this module's in the eyes of Swift, and importers of Transport
// would need this module for their members.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

struct sockaddr;
extern int sched_getaffinity(int process, unsigned long size, void *mask);
extern int accept4(int descriptor, struct sockaddr *address, unsigned int *length, int flags);

#endif
