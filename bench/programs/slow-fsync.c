// A disk whose fsync takes longer. Preloaded (LD_PRELOAD), it lets the real call return SLOW_FSYNC_MS milliseconds later;
// with SLOW_FSYNC_COUNT (a file) the process writes there at its end how many there were.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_long calls;

static int later(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(file);
  const char *ms = getenv("SLOW_FSYNC_MS");
  long wait = ms == NULL ? 0 : atol(ms);
  atomic_fetch_add(&calls, 1);
  if (wait > 0) {
    struct timespec left = { wait / 1000, (wait % 1000) * 1000000L };
    while (nanosleep(&left, &left) != 0) {
    }
  }
  return result;
}

int fsync(int file) { return later("fsync", file); }

int fdatasync(int file) { return later("fdatasync", file); }

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("SLOW_FSYNC_COUNT");
  FILE *out = path == NULL ? NULL : fopen(path, "a");
  if (out == NULL) return;
  fprintf(out, "%ld\n", atomic_load(&calls));
  fclose(out);
}
