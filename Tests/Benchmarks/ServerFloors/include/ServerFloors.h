// What the server's benchmark needs from C: clients that cost next to nothing, and what a server's work
// on its records can cost at least.
//
// Every function returns 0, or an `errno` or SQLite's code.
#ifndef CONTRAIL_SERVER_FLOORS_H
#define CONTRAIL_SERVER_FLOORS_H

#include <stddef.h>
#include <stdint.h>

// Bytes in someone else's memory.
typedef struct {
  const uint8_t *bytes;
  size_t count;
} server_bytes;

// A port of the loopback address that nobody listens on now; 0 when there is none.
uint16_t server_free_port(void);
// Whether somebody listens on the port.
int server_listens(uint16_t port);

// Plays requests over connections that stay open, each connection sending its next request when it has
// the last one's answer. Counts the bytes of the bodies, and the answers that are not 200 or have an
// error of the protocol in them.
typedef struct {
  int64_t body_bytes;
  int64_t failures;
} server_totals;
int server_play(
    uint16_t port, const server_bytes *requests, size_t count, int connections,
    server_totals *totals);
// One request and its answer, under TLS if wanted; `server_free` frees the body.
int server_ask(
    uint16_t port, int is_tls, server_bytes request, int *status, uint8_t **body, size_t *count);
void server_free(void *block);

// Streams of server-sent events, all read by one thread.
typedef struct server_streams server_streams;
// Opens `count` streams with the same request, under TLS if wanted, and waits until each has begun.
int server_streams_open(
    uint16_t port, server_bytes request, int count, int is_tls, server_streams **streams);
// Waits until each stream has one more event; `milliseconds` is the longest that it waits.
int server_streams_wait(server_streams *streams, int milliseconds);
void server_streams_close(server_streams *streams);

// The tables of a server's file with the rows that one of its zones has, in a file of their own.
typedef struct server_records server_records;
int server_records_open(
    const char *path, const char *server_path, const char *zone, server_records **records);
int server_records_close(server_records *records);
// Reads the bodies as JSON, and after each writes the next rows as a new zone's, `batch` in a transaction
// that is durable. The rows are those of records and of their indexes.
int server_records_save(
    server_records *records, const server_bytes *bodies, size_t count, int64_t zone, int64_t batch,
    int64_t *saved);
// Runs a query as often as wanted, reading every column of every row.
int server_records_query(const char *path, const char *sql, int64_t times, int64_t *rows);
// The first text that a query finds, which `server_free` frees; null when there is none.
char *server_records_text(const char *path, const char *sql);

#include "SyncFloors.h"

#endif
