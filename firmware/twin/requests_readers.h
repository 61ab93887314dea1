/* GPL-3.0-or-later. Requests about tags, readers and buttons. */
#ifndef TWIN_REQUESTS_READERS_H
#define TWIN_REQUESTS_READERS_H

#include "words.h"

enum { READER_VERBS_COUNT = 8 };
extern const verb_t reader_verbs[READER_VERBS_COUNT];

#endif
