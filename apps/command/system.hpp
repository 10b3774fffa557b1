// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the command asks of the operating system: system_posix.cpp and system_windows.cpp.
//
// Functions that return a number return -1 or an error number of <cerrno> as each says; descriptors
// are those of read and write, carry bytes as they are, and are not inherited by other programs.
#ifndef CODEKEM_CLI_SYSTEM_HPP
#define CODEKEM_CLI_SYSTEM_HPP

#include <sys/stat.h>

#include <cstddef>
#include <string>

namespace codekem::system {

// Makes descriptors 0 to 2 exist and carry bytes. Without this, a file that we open could become
// the standard output that a caller closed.
void prepare_standard_streams();

// Keeps the system from loading libraries out of the current folder.
void forbid_strange_libraries();

// Keeps keys and secrets from reaching the disk in a core file.
void forbid_core_files();

// Returns a descriptor, or -1 and sets errno.
int open_to_read(const std::string &path);
int open_to_write(const std::string &path);

// Reads or writes at most length bytes. Returns how many (0: the end), or -1 and sets errno.
std::ptrdiff_t read_some(int descriptor, void *data, std::size_t length);
std::ptrdiff_t write_some(int descriptor, const void *data, std::size_t length);

// Wait for a descriptor that would block.
void wait_until_readable(int descriptor);
void wait_until_writable(int descriptor);

// Returns true if the system can tell that two descriptors or names are one stream, and they are.
bool is_same_stream(const struct stat &first, const struct stat &second);

// Returns the place of the last separator of directories in path, or npos.
std::size_t last_separator(const std::string &path);

// Returns the absolute path (where links are common, without them); "" and errno if there is no
// such file.
std::string absolute_path(const std::string &path);

// Returns true if two absolute paths name one file.
bool is_same_place(const std::string &first, const std::string &second);

bool is_link_to_nothing(const std::string &path);
bool is_disk(const struct stat &status);

// Creates a file without a name in directory, which vanishes with its descriptor, however the
// process ends. Returns the descriptor, or -1 if the system or the file system has no such files.
int create_unnamed(const std::string &directory, bool secret);

// Gives that file a name that must not exist. Returns 0 or an error number.
int link_unnamed(int descriptor, const std::string &to);

// Creates a file of a new name in directory, which only its owner may read if it is secret. Returns
// its descriptor and sets name, or -1 and sets errno.
int create_temporary(const std::string &directory, bool secret, std::string &name);

// Gives an unnamed file such a new name. Returns 0 and sets name, or an error number.
int link_temporary(int descriptor, const std::string &directory, std::string &name);

// Rename a file to a name that must not exist, or replace what has the name; exchange two files.
// Return 0 or an error number: EEXIST; EINVAL or ENOSYS if the system cannot.
int rename_new(const std::string &from, const std::string &to);
int rename_replacing(const std::string &from, const std::string &to);
int exchange(const std::string &first, const std::string &second);

// Makes what was written survive a power failure, where the file system can. Returns 0 or an error
// number.
int synchronise(int descriptor);

// The same for new names in a directory, without a word if it cannot be done.
void synchronise_directory(const std::string &directory);

// Returns true if a descriptor is a terminal that understands escape sequences, after it was asked
// to.
bool understands_escapes(int descriptor);

// Returns the value of an environment variable, or null: also if whoever started the command must
// not choose the code that it loads (set-user-ID).
const char *trusted_environment(const char *variable);

// Describes the system, as uname does.
struct description {
  std::string name, release, machine;
};
description describe();

}  // namespace codekem::system

#endif
