/* The tables of a database of results; docs/lab.md says what is in them. */
#ifndef SLUICE_LAB_SCHEMA_H
#define SLUICE_LAB_SCHEMA_H

enum { LAB_APPLICATION_ID = 0x536c7565 /* "Slue" */, LAB_SCHEMA_VERSION = 2 };
extern const char lab_schema[];
/* What makes version 2 of version 1: members have `with`, `set` and `params` of their own. Version 1 can be read as it is. */
extern const char lab_schema_from_1[];

#endif
