/* GPL-3.0-or-later. A request cut into words, numbers out of words, and the answers that all requests share. */
#ifndef TWIN_WORDS_H
#define TWIN_WORDS_H

#include <stdbool.h>
#include <stdio.h>

enum { WORDS_CAP = 4 };

typedef struct {
    int count;
    char *word[WORDS_CAP]; /* the first is the verb */
} words_t;

/* A verb, how many words stand behind it, and what answers; false from that ends the program. */
typedef struct {
    const char *verb;
    int least, most;
    bool (*answer)(words_t words);
} verb_t;

/* Where answers go. */
extern FILE *words_out;

bool words_refuse(const char *text);
bool words_agree(void);

/* Whether a word is a number within its limits. */
bool words_whole(const char *word, long low, long high, long *value);
bool words_real(const char *word, double low, double high, double *value);
/* The value of a hex digit, -1 for what is none. */
int words_digit(char c);

#endif
