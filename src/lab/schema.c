#include "lab/schema.h"

/* what most questions are about: a line for each point of each sweep as the sweep asked for it, numbers of finished
 * ones only */
#define RESULT_VIEW                                                                                          \
  "CREATE VIEW result AS"                                                                                    \
  "  SELECT m.sweep, m.number, m.workload, p.size, m.gpu, m.label, m.\"with\", m.\"set\", m.params, "        \
  "p.seed, p.state,"                                                                                         \
  "    p.reason,"                                                                                            \
  "    (SELECT value FROM stat WHERE point = p.id AND name = 'cycles' AND p.state = 'done') AS cycles,"      \
  "    (SELECT value FROM stat WHERE point = p.id AND name = 'ipc' AND p.state = 'done') AS ipc,"            \
  "    p.wall_s, p.cpu_s, p.peak_kib, p.id AS point"                                                         \
  "  FROM member m JOIN point p ON p.id = m.point"                                                           \
  "  ORDER BY m.sweep, m.number;"

const char lab_schema[] =
    "PRAGMA application_id = 1399616869;" /* LAB_APPLICATION_ID */
    "PRAGMA user_version = 2;"            /* LAB_SCHEMA_VERSION */
    "CREATE TABLE config ("
    "  id TEXT PRIMARY KEY,"
    "  json TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE point ("
    "  id TEXT PRIMARY KEY,"
    "  workload TEXT NOT NULL,"
    "  size TEXT,"
    "  seed INTEGER,"
    "  input TEXT,"
    "  params TEXT NOT NULL,"
    "  gpu TEXT NOT NULL,"
    "  \"with\" TEXT NOT NULL,"
    "  \"set\" TEXT NOT NULL,"
    "  max_cycles INTEGER NOT NULL,"
    "  config TEXT NOT NULL REFERENCES config (id),"
    "  model TEXT NOT NULL,"
    "  state TEXT NOT NULL CHECK (state IN ('planned', 'done', 'failed', 'stalled', 'cut')),"
    "  reason TEXT NOT NULL,"
    "  wall_s REAL,"
    "  cpu_s REAL,"
    "  peak_kib INTEGER,"
    "  finished TEXT) WITHOUT ROWID;"
    "CREATE TABLE stat ("
    "  point TEXT NOT NULL REFERENCES point (id),"
    "  name TEXT NOT NULL,"
    "  value NOT NULL,"
    "  PRIMARY KEY (point, name)) WITHOUT ROWID;"
    "CREATE TABLE member ("
    "  sweep TEXT NOT NULL,"
    "  number INTEGER NOT NULL,"
    "  point TEXT NOT NULL REFERENCES point (id),"
    "  workload TEXT NOT NULL,"
    "  gpu TEXT NOT NULL,"
    "  label TEXT NOT NULL,"
    "  best_param TEXT,"
    "  best_by TEXT,"
    "  \"with\" TEXT NOT NULL,"
    "  \"set\" TEXT NOT NULL,"
    "  params TEXT NOT NULL,"
    "  PRIMARY KEY (sweep, number)) WITHOUT ROWID;" RESULT_VIEW;

const char lab_schema_from_1[] = "PRAGMA user_version = 2;"
                                 "DROP VIEW result;"
                                 "ALTER TABLE member ADD COLUMN \"with\" TEXT NOT NULL DEFAULT '';"
                                 "ALTER TABLE member ADD COLUMN \"set\" TEXT NOT NULL DEFAULT '{}';"
                                 "ALTER TABLE member ADD COLUMN params TEXT NOT NULL DEFAULT '{}';"
                                 "UPDATE member SET \"with\" = (SELECT \"with\" FROM point WHERE id = point),"
                                 "  \"set\" = (SELECT \"set\" FROM point WHERE id = point), params = (SELECT "
                                 "params FROM point WHERE id = point);" RESULT_VIEW;
