// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the command asks of Windows. Names are UTF-8, as codekem.manifest asks.
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
// clang-format off
#include <windows.h>
#include <sddl.h>
// clang-format on

#include <codekem.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "system.hpp"

namespace codekem::system {
namespace {

constexpr DWORD longest_path = 32768;

// Returns the number of <cerrno> for that of the last failed call.
int error_number() {
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_INVALID_NAME:
      return ENOENT;
    case ERROR_PATH_NOT_FOUND:
      return ENOTDIR;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_WRITE_PROTECT:
      return EROFS;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      return EACCES;
    default:
      return EIO;
  }
}

// Returns the security identifier of the user, as text; empty if the system refuses.
std::string user_identifier() {
  HANDLE token = nullptr;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
    return "";
  }
  alignas(TOKEN_USER) unsigned char memory[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  DWORD length = 0;
  std::string identifier;
  char *text = nullptr;
  if (GetTokenInformation(token, TokenUser, memory, sizeof memory, &length) &&
      ConvertSidToStringSidA(reinterpret_cast<TOKEN_USER *>(memory)->User.Sid, &text)) {
    identifier = text;
    LocalFree(text);
  }
  CloseHandle(token);
  return identifier;
}

// A security descriptor for the user alone, which inherits nothing.
class user_only {
 public:
  user_only() {
    const std::string user = user_identifier();
    const std::string text = "D:P(A;;FA;;;" + user + ")";
    if (!user.empty()) {
      ConvertStringSecurityDescriptorToSecurityDescriptorA(text.c_str(), SDDL_REVISION_1,
                                                           &descriptor_, nullptr);
    }
    attributes_.nLength = sizeof attributes_;
    attributes_.lpSecurityDescriptor = descriptor_;
  }
  ~user_only() { LocalFree(descriptor_); }
  user_only(const user_only &) = delete;
  user_only &operator=(const user_only &) = delete;
  // Null if the system refused to make it.
  SECURITY_ATTRIBUTES *attributes() { return descriptor_ == nullptr ? nullptr : &attributes_; }

 private:
  PSECURITY_DESCRIPTOR descriptor_ = nullptr;
  SECURITY_ATTRIBUTES attributes_ = {};
};

// Returns a descriptor for a handle, or -1 and sets errno.
int descriptor_of(HANDLE handle, int flags) {
  if (handle == INVALID_HANDLE_VALUE) {
    errno = error_number();
    return -1;
  }
  const int descriptor =
      _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) {
    CloseHandle(handle);
  }
  return descriptor;
}

}  // namespace

void prepare_standard_streams() {
  _setmode(0, _O_BINARY);
  _setmode(1, _O_BINARY);
}

void forbid_strange_libraries() {
  SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);
}

void forbid_core_files() { SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); }

int open_to_read(const std::string &path) {
  return _open(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

int open_to_write(const std::string &path) {
  return _open(path.c_str(), _O_WRONLY | _O_BINARY | _O_NOINHERIT);
}

// A pipe of Windows takes no more at once than is free in it, and a console less than that.
constexpr std::size_t largest_piece = 32768;

std::ptrdiff_t read_some(int descriptor, void *data, std::size_t length) {
  return _read(descriptor, data, static_cast<unsigned>(std::min(length, largest_piece)));
}

std::ptrdiff_t write_some(int descriptor, const void *data, std::size_t length) {
  return _write(descriptor, data, static_cast<unsigned>(std::min(length, largest_piece)));
}

void wait_until_readable(int) {}
void wait_until_writable(int) {}

bool is_same_stream(const struct stat &, const struct stat &) { return false; }

std::size_t last_separator(const std::string &path) { return path.find_last_of("/\\:"); }

std::string absolute_path(const std::string &path) {
  std::string full(longest_path, '\0'), actual(longest_path, '\0');
  // The second one fails if there is no such file, and has the names as the directories have them.
  const DWORD first = GetFullPathNameA(path.c_str(), longest_path, full.data(), nullptr);
  const DWORD second = first == 0 ? 0 : GetLongPathNameA(full.c_str(), actual.data(), longest_path);
  if (second == 0 || first >= longest_path || second >= longest_path) {
    errno = second == 0 ? error_number() : ENAMETOOLONG;
    return "";
  }
  actual.resize(second);
  return actual;
}

bool is_same_place(const std::string &first, const std::string &second) {
  return _stricmp(first.c_str(), second.c_str()) == 0;
}

bool is_link_to_nothing(const std::string &path) {
  const DWORD attributes = GetFileAttributesA(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES &&
         (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && absolute_path(path).empty();
}

bool is_disk(const struct stat &) { return false; }

int create_unnamed(const std::string &, bool) { return -1; }
int link_unnamed(int, const std::string &) { return ENOSYS; }
int link_temporary(int, const std::string &, std::string &) { return ENOSYS; }

int create_temporary(const std::string &directory, bool secret, std::string &name) {
  user_only user;
  if (secret && user.attributes() == nullptr) {
    errno = EACCES;
    return -1;
  }
  for (int tries = 0; tries < 100; tries++) {
    std::uint8_t random[8];
    char text[2 * sizeof random + 1];
    if (!codekem_random_system(nullptr, random, sizeof random)) {
      errno = EIO;
      return -1;
    }
    for (std::size_t i = 0; i < sizeof random; i++) {
      std::snprintf(text + 2 * i, 3, "%02x", random[i]);
    }
    name = directory + "\\.codekem-" + text;
    const HANDLE file =
        CreateFileA(name.c_str(), GENERIC_WRITE | DELETE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                    secret ? user.attributes() : nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL,
                    nullptr);
    if (file != INVALID_HANDLE_VALUE || GetLastError() != ERROR_FILE_EXISTS) {
      return descriptor_of(file, _O_WRONLY);
    }
  }
  errno = EEXIST;
  return -1;
}

int rename_new(const std::string &from, const std::string &to) {
  return MoveFileExA(from.c_str(), to.c_str(), MOVEFILE_WRITE_THROUGH) ? 0 : error_number();
}

int rename_replacing(const std::string &from, const std::string &to) {
  return MoveFileExA(from.c_str(), to.c_str(), MOVEFILE_WRITE_THROUGH | MOVEFILE_REPLACE_EXISTING)
             ? 0
             : error_number();
}

int exchange(const std::string &, const std::string &) { return ENOSYS; }

int synchronise(int descriptor) { return _commit(descriptor) == 0 ? 0 : errno; }

void synchronise_directory(const std::string &) {}

bool understands_escapes(int descriptor) {
  const HANDLE console = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  DWORD mode;
  return GetConsoleMode(console, &mode) &&
         SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

const char *trusted_environment(const char *variable) { return std::getenv(variable); }

description describe() {
  OSVERSIONINFOEXW version = {};
  using get_version = LONG(WINAPI *)(OSVERSIONINFOEXW *);
  // The documented GetVersionEx answers with what the program's manifest knows.
  const HMODULE ntdll = GetModuleHandleA("ntdll.dll");
  const auto get = reinterpret_cast<get_version>(
      reinterpret_cast<void *>(GetProcAddress(ntdll, "RtlGetVersion")));
  version.dwOSVersionInfoSize = sizeof version;
  std::string release;
  if (get != nullptr && get(&version) == 0) {
    release = std::to_string(version.dwMajorVersion) + "." +
              std::to_string(version.dwMinorVersion) + "." + std::to_string(version.dwBuildNumber);
  }
  SYSTEM_INFO info;
  GetNativeSystemInfo(&info);
  const bool is_x86 = info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64;
  const bool is_arm = info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64;
  return {"Windows", release, is_x86 ? "x86_64" : is_arm ? "aarch64" : ""};
}

}  // namespace codekem::system
