/* A round of AES (FIPS 197), which mixes 16 bytes: bytes are substituted, rows shifted, columns
 * mixed.  No key is added.  For hashes; not secure against those who measure time. */
#ifndef HD_CORE_AES_H
#define HD_CORE_AES_H

void hd_aes_round(unsigned char x[16]);

#endif
