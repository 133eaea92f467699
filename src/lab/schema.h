/* The tables of a database of results; docs/lab.md says what is in them. */
#ifndef SLUICE_LAB_SCHEMA_H
#define SLUICE_LAB_SCHEMA_H

enum { LAB_APPLICATION_ID = 0x536c7565 /* "Slue" */, LAB_SCHEMA_VERSION = 1 };
extern const char lab_schema[];

#endif
