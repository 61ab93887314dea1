/* Stands between a program and the disk, for one folder: counts what changes it, kills or refuses at the n-th
 * change, and writes down every change with its bytes.
 *
 * Loaded with LD_PRELOAD; the program itself says what it wants through the disk_* functions. Owns no opinion about
 * SQLite: it sees system calls only. Not for threads that write side by side.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { FDS = 1024, NAMES = 4096 };

static char folder[NAMES];
static size_t folder_length;
static uint64_t inode_of[FDS]; /* 0: not a file of the folder */
static int log_fd = -1;
static long change_count, kill_at, fail_from, fail_count;
static int fail_errno;

/* What the program says */

void disk_watch(const char *path)
{
    snprintf(folder, sizeof folder, "%s", path);
    folder_length = strlen(folder);
    memset(inode_of, 0, sizeof inode_of);
    change_count = kill_at = fail_from = fail_count = 0;
}

/* Kill before the n-th change from the beginning; 0: never. */
void disk_kill_at(long n) { kill_at = n; }

/* Refuse `count` changes from the n-th on with this error; n 0: none. */
void disk_fail(long n, long count, int error)
{
    fail_from = n;
    fail_count = count;
    fail_errno = error;
}

long disk_changes(void) { return change_count; }

/* Write down every change to this file descriptor from now on; -1: no more. */
void disk_log(int fd) { log_fd = fd; }

/* A small disk, for a program that does not know of the shim: DISK_ROOM bytes may be written below DISK_FOLDER,
 * and more once the file DISK_BALLAST is gone. */
static const char *ballast;
static long room = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("DISK_FOLDER"), *bytes = getenv("DISK_ROOM");
    ballast = getenv("DISK_BALLAST");
    if (path != NULL && bytes != NULL && ballast != NULL) {
        disk_watch(path);
        room = atol(bytes);
    }
}

static int is_full(size_t length)
{
    if (room < 0 || access(ballast, F_OK) != 0)
        return 0;
    if ((size_t)room < length) {
        errno = ENOSPC;
        return 1;
    }
    room -= (long)length;
    return 0;
}

/* One entry of the log: kind, inode, offset, lengths of name, second name and data, then these. */
struct __attribute__((packed)) entry {
    char kind;
    uint64_t inode, offset;
    uint32_t name_length, second_length, data_length;
};

static void put(const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        long done = syscall(SYS_write, log_fd, at, length);
        if (done <= 0)
            _exit(99);
        at += done;
        length -= (size_t)done;
    }
}

static void note(char kind, uint64_t inode, uint64_t offset, const char *name, const char *second,
                 const void *data, size_t length)
{
    if (log_fd < 0)
        return;
    struct entry entry = {kind, inode, offset, (uint32_t)strlen(name), (uint32_t)strlen(second), (uint32_t)length};
    put(&entry, sizeof entry);
    put(name, entry.name_length);
    put(second, entry.second_length);
    put(data, length);
}

/* What has been acknowledged, in order with the changes. */
void disk_mark(const char *text) { note('!', 0, 0, text, "", "", 0); }

/* Which files are watched */

static const char *name_in_folder(const char *path)
{
    if (folder_length == 0 || strncmp(path, folder, folder_length) != 0)
        return NULL;
    if (path[folder_length] == '\0')
        return "";
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static int watched(int fd) { return fd >= 0 && fd < FDS && inode_of[fd] != 0; }

static uint64_t inode_at(int fd)
{
    struct stat found;
    return fstat(fd, &found) == 0 ? found.st_ino : 0;
}

/* Before every change: the end, a refusal, or on with it. `refusable`: a full disk stands in its way. */
static int refused(int refusable)
{
    change_count++;
    if (change_count == kill_at)
        kill(getpid(), SIGKILL);
    if (refusable && fail_from != 0 && change_count >= fail_from && change_count < fail_from + fail_count) {
        errno = fail_errno;
        return 1;
    }
    return 0;
}

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (real == NULL) \
    real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Opening */

static int opened(int at, const char *path, int flags, mode_t mode)
{
    const char *name = name_in_folder(path);
    int is_new = 0;
    if (name != NULL && (flags & O_CREAT)) {
        struct stat found;
        is_new = lstat(path, &found) != 0;
        if (is_new && refused(1))
            return -1;
    }
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && fd < FDS) {
        inode_of[fd] = name == NULL ? 0 : inode_at(fd);
        if (is_new)
            note('c', inode_of[fd], 0, name, "", "", 0);
        else if (name != NULL && (flags & O_TRUNC))
            note('t', inode_of[fd], 0, "", "", "", 0);
    }
    return fd;
}

static mode_t mode_of(int flags, va_list more)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) \
    { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = mode_of(flags, more); \
        va_end(more); \
        return opened(AT_FDCWD, path, flags, mode); \
    }
#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) \
    { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = mode_of(flags, more); \
        va_end(more); \
        return opened(at, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }

int close(int fd)
{
    if (fd >= 0 && fd < FDS)
        inode_of[fd] = 0;
    return (int)syscall(SYS_close, fd);
}

/* Writing */

ssize_t write(int fd, const void *data, size_t length)
{
    if (!watched(fd))
        return syscall(SYS_write, fd, data, length);
    if (refused(1) || is_full(length))
        return -1;
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t done = syscall(SYS_write, fd, data, length);
    if (done > 0)
        note('w', inode_of[fd], (uint64_t)offset, "", "", data, (size_t)done);
    return done;
}

static ssize_t written_at(int fd, const void *data, size_t length, off_t offset)
{
    if (watched(fd) && (refused(1) || is_full(length)))
        return -1;
    ssize_t done = syscall(SYS_pwrite64, fd, data, length, offset);
    if (watched(fd) && done > 0)
        note('w', inode_of[fd], (uint64_t)offset, "", "", data, (size_t)done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written_at(fd, data, length, offset); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset)
{
    return written_at(fd, data, length, offset);
}

static int cut(int fd, off_t length)
{
    if (watched(fd) && refused(1))
        return -1;
    int done = (int)syscall(SYS_ftruncate, fd, length);
    if (watched(fd) && done == 0)
        note('t', inode_of[fd], (uint64_t)length, "", "", "", 0);
    return done;
}

int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

/* Making it last */

static int synced(long call, int fd)
{
    if (watched(fd) && refused(1))
        return -1;
    int done = (int)syscall(call, fd);
    if (watched(fd) && done == 0)
        note('s', inode_of[fd], 0, "", "", "", 0);
    return done;
}

int fsync(int fd) { return synced(SYS_fsync, fd); }
int fdatasync(int fd) { return synced(SYS_fdatasync, fd); }

/* Names */

int rename(const char *from, const char *to)
{
    const char *name = name_in_folder(from), *second = name_in_folder(to);
    REAL(int, "rename", const char *, const char *);
    if (name == NULL || second == NULL)
        return real(from, to);
    if (refused(1))
        return -1;
    int done = real(from, to);
    if (done == 0)
        note('r', 0, 0, name, second, "", 0);
    return done;
}

int unlink(const char *path)
{
    const char *name = name_in_folder(path);
    REAL(int, "unlink", const char *);
    struct stat found;
    if (name == NULL || lstat(path, &found) != 0)
        return real(path);
    if (refused(0))
        return -1;
    int done = real(path);
    if (done == 0)
        note('u', 0, 0, name, "", "", 0);
    return done;
}
