/* GPL-3.0-or-later. Owns how a word of a request is read, and the two plain answers. */
#include "words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

FILE *words_out;

bool words_refuse(const char *text)
{
    fprintf(words_out, "error %s\n", text);
    return true;
}

bool words_agree(void)
{
    fputs("ok\n", words_out);
    return true;
}

bool words_whole(const char *word, long low, long high, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(word, &end, 10);
    return *word && !*end && errno == 0 && *value >= low && *value <= high;
}

bool words_real(const char *word, double low, double high, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return *word && !*end && isfinite(*value) && *value >= low && *value <= high;
}

int words_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
