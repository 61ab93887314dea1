/* What every test includes: cmocka with what it needs before it. */
#ifndef TW_CHECK_H
#define TW_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
