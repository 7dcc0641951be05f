/* Loaded before the C library: counts a process's calls that can change the file system, and at the
   n-th ends it by SIGKILL, or answers "no space left on device" from then on. Armed from Python.
   Locks and reads are not counted: a process killed there leaves what it leaves at the next call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long calls = 0, limit = 0;
static int full = 0, armed = 0;

void saboteur_arm(long at, int disk_full) { calls = 0; limit = at; full = disk_full; armed = 1; }
long saboteur_calls(void) { armed = 0; return calls; }

/* Whether the call is to fail; `grows` says that it takes room on the disk. */
static int strikes(int grows) {
    if (!armed) return 0;
    ++calls;
    if (limit == 0 || calls < limit) return 0;
    if (!full) kill(getpid(), SIGKILL);
    if (!grows) return 0;
    errno = ENOSPC;
    return 1;
}

#define REAL(type, name, ...) type (*real)(__VA_ARGS__) = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define WRITES(name, offset_type) \
ssize_t name(int fd, const void *data, size_t n, offset_type at) { \
    REAL(ssize_t, #name, int, const void *, size_t, offset_type); \
    return strikes(1) ? -1 : real(fd, data, n, at); }
WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t n) {
    REAL(ssize_t, "write", int, const void *, size_t);
    /* Standard output and error are no files of the ledger. */
    return fd > 2 && strikes(1) ? -1 : real(fd, data, n); }

#define BY_HANDLE(name) \
int name(int fd) { REAL(int, #name, int); strikes(0); return real(fd); }
BY_HANDLE(fsync)
BY_HANDLE(fdatasync)

#define CUTS(name, length) \
int name(int fd, length n) { \
    REAL(int, #name, int, length); return strikes(n > 0) ? -1 : real(fd, n); }
CUTS(ftruncate, off_t)
CUTS(ftruncate64, off64_t)

#define OF_NAMES(name) \
int name(const char *from, const char *to) { \
    REAL(int, #name, const char *, const char *); return strikes(1) ? -1 : real(from, to); }
OF_NAMES(rename)
OF_NAMES(link)

int unlink(const char *path) { REAL(int, "unlink", const char *); strikes(0); return real(path); }
int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t); return strikes(1) ? -1 : real(path, mode); }

#define OPENS(name) \
int name(const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
    REAL(int, #name, const char *, int, mode_t); \
    strikes(0); return real(path, flags, mode); }
OPENS(open)
OPENS(open64)
