// Makes the same rows on every machine and in every run.
#include "StoreFloors.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROW_BYTES = FLOOR_TITLE_BYTES + FLOOR_PLACE_BYTES + FLOOR_REMARKS_BYTES + FLOOR_TAG_BYTES
      + FLOOR_IDENTIFIER_BYTES,
  // One row in so many has a letter outside ASCII in its title: real texts have some.
  ROWS_PER_FOREIGN_LETTER = 8,
};

// SplitMix64, https://prng.di.unimi.it/splitmix64.c: any number gives a good one.
static uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// Fills `bytes` with letters and spaces.
static floor_bytes text(char *bytes, int32_t count, uint64_t seed) {
  static const char letters[] = "etaoin shrdlu etaoin cmfwyp vbgkqj";
  uint64_t bits = 0;
  for (int32_t index = 0; index < count; index++) {
    if (index % 8 == 0) bits = mixed(seed + (uint64_t)index);
    bytes[index] = letters[(bits & 0xff) % (sizeof letters - 1)];
    bits >>= 8;
  }
  return (floor_bytes){bytes, count};
}

static void make_row(floor_row *row, char *bytes, int64_t number) {
  const uint64_t seed = mixed((uint64_t)number);
  row->title = text(bytes, FLOOR_TITLE_BYTES, seed);
  if (number % ROWS_PER_FOREIGN_LETTER == 0) memcpy(bytes, "\xc3\xa9", 2);
  bytes += FLOOR_TITLE_BYTES;
  row->place = text(bytes, FLOOR_PLACE_BYTES, seed + 1000);
  bytes += FLOOR_PLACE_BYTES;
  row->remarks = text(bytes, FLOOR_REMARKS_BYTES, seed + 2000);
  bytes += FLOOR_REMARKS_BYTES;
  row->tag = text(bytes, FLOOR_TAG_BYTES, 3000 + seed % FLOOR_TAGS * 100);
  bytes += FLOOR_TAG_BYTES;
  const uint64_t halves[2] = {mixed(seed + 4000), mixed(seed + 5000)};
  memcpy(bytes, halves, FLOOR_IDENTIFIER_BYTES);
  row->identifier = (floor_bytes){bytes, FLOOR_IDENTIFIER_BYTES};
  row->count = number * 7;
  row->rank = (int64_t)(seed % FLOOR_RANKS);
  row->score = (double)(seed >> 11) / 9007199254740992.0;
  row->price = (double)(seed % 100000) / 100.0;
  row->created = 700000000.0 + (double)number * 37.5;
}

floor_row *floor_make_rows(int64_t count) {
  floor_row *rows = malloc((size_t)count * (sizeof(floor_row) + ROW_BYTES));
  if (!rows) return NULL;
  char *bytes = (char *)(rows + count);
  for (int64_t index = 0; index < count; index++) {
    make_row(&rows[index], bytes + index * ROW_BYTES, index + 1);
  }
  return rows;
}

int64_t *floor_make_keys(int64_t count, int64_t rows) {
  int64_t *keys = malloc((size_t)count * sizeof *keys);
  if (!keys) return NULL;
  for (int64_t index = 0; index < count; index++) {
    keys[index] = 1 + (int64_t)(mixed((uint64_t)index + 7) % (uint64_t)rows);
  }
  return keys;
}

void floor_free(void *block) { free(block); }

void floor_trim(void) { malloc_trim(0); }
