/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What Native.java needs of C where Java has no java.lang.foreign: it opens a library, finds its
 * functions and calls them. Addresses are numbers; arrays of characters end in a zero. */
#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#define METHOD(type, name) JNIEXPORT type JNICALL Java_io_github_codekem_Native_##name

#define POINTER(number) ((void *)(intptr_t)(number))

METHOD(jlong, address)(JNIEnv *env, jclass class, jobject buffer) {
  (void)class;
  return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

METHOD(jobject, at)(JNIEnv *env, jclass class, jlong address, jlong length) {
  (void)class;
  return (*env)->NewDirectByteBuffer(env, POINTER(address), length);
}

METHOD(jlong, openLibrary)(JNIEnv *env, jclass class, jbyteArray path) {
  jbyte *text = (*env)->GetByteArrayElements(env, path, NULL);
  void *found = NULL;

  (void)class;
  if (text != NULL) {
#if defined(_WIN32)
    found = (void *)LoadLibraryW((LPCWSTR)(void *)text);
#else
    found = dlopen((const char *)text, RTLD_NOW | RTLD_LOCAL);
#endif
    (*env)->ReleaseByteArrayElements(env, path, text, JNI_ABORT);
  }
  return (jlong)(intptr_t)found;
}

METHOD(void, closeLibrary)(JNIEnv *env, jclass class, jlong handle) {
  (void)env;
  (void)class;
#if defined(_WIN32)
  FreeLibrary((HMODULE)POINTER(handle));
#else
  dlclose(POINTER(handle));
#endif
}

METHOD(jlong, symbolOf)(JNIEnv *env, jclass class, jlong handle, jbyteArray name) {
  jbyte *text = (*env)->GetByteArrayElements(env, name, NULL);
  intptr_t found = 0;

  (void)class;
  if (text != NULL) {
#if defined(_WIN32)
    found = (intptr_t)GetProcAddress((HMODULE)POINTER(handle), (const char *)text);
#else
    found = (intptr_t)dlsym(POINTER(handle), (const char *)text);
#endif
    (*env)->ReleaseByteArrayElements(env, name, text, JNI_ABORT);
  }
  return (jlong)found;
}

METHOD(jlong, call)(JNIEnv *env, jclass class, jlong function) {
  (void)env;
  (void)class;
  return (jlong)(intptr_t)((const void *(*)(void))(intptr_t)function)();
}

METHOD(jlong, callText)(JNIEnv *env, jclass class, jlong function, jlong text) {
  (void)env;
  (void)class;
  return (jlong)(intptr_t)((const void *(*)(const char *))(intptr_t)function)(POINTER(text));
}

METHOD(jlong, callStatus)(JNIEnv *env, jclass class, jlong function, jint status) {
  (void)env;
  (void)class;
  return (jlong)(intptr_t)((const char *(*)(int))(intptr_t)function)(status);
}

METHOD(jboolean, fill)(JNIEnv *env, jclass class, jlong function, jlong out, jlong length) {
  (void)env;
  (void)class;
  return ((bool (*)(void *, uint8_t *, size_t))(intptr_t)function)(NULL, POINTER(out),
                                                                   (size_t)length)
             ? JNI_TRUE
             : JNI_FALSE;
}

METHOD(jint, call2)(JNIEnv *env, jclass class, jlong function, jlong a, jlong b) {
  (void)env;
  (void)class;
  return ((int (*)(void *, void *))(intptr_t)function)(POINTER(a), POINTER(b));
}

METHOD(jint, call3)(JNIEnv *env, jclass class, jlong function, jlong a, jlong b, jlong c) {
  (void)env;
  (void)class;
  return ((int (*)(void *, void *, void *))(intptr_t)function)(POINTER(a), POINTER(b), POINTER(c));
}

METHOD(jint, call4)
(JNIEnv *env, jclass class, jlong function, jlong a, jlong b, jlong c, jlong d) {
  (void)env;
  (void)class;
  return ((int (*)(void *, void *, void *, void *))(intptr_t)function)(POINTER(a), POINTER(b),
                                                                       POINTER(c), POINTER(d));
}

METHOD(jint, call5)
(JNIEnv *env, jclass class, jlong function, jlong a, jlong b, jlong c, jlong d, jlong e) {
  (void)env;
  (void)class;
  return ((int (*)(void *, void *, void *, void *, void *))(intptr_t)function)(
      POINTER(a), POINTER(b), POINTER(c), POINTER(d), POINTER(e));
}

METHOD(jint, callInto)
(JNIEnv *env, jclass class, jbyteArray out, jlong room, jlong function, jlong a, jlong c, jlong d,
 jlong e) {
  int status = ((int (*)(void *, void *, void *, void *, void *))(intptr_t)function)(
      POINTER(a), POINTER(room), POINTER(c), POINTER(d), POINTER(e));

  (void)class;
  (*env)->SetByteArrayRegion(env, out, 0, (*env)->GetArrayLength(env, out), POINTER(room));
  return status;
}
