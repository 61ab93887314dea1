/* Which firmware this is.
 *
 * Owns the version that HELLO tells, at most 8 characters.
 */
#ifndef TW_VERSION_H
#define TW_VERSION_H

#define VERSION_FIRMWARE "0.1.0"

#endif
