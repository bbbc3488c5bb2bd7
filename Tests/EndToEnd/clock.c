// Preloaded into a gateway by the suite attack_resources: moves its wall clock by as many seconds as stand in the file CLOCK_SHIFT_FILE.
// The steady clocks stay as they are, as they do when an administrator or NTP sets the time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
  char text[32] = {0};
  const char *path = getenv("CLOCK_SHIFT_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  return count > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}
