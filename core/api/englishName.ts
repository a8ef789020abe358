import * as z from 'zod/mini'

/** A visit's or a page's name in English. Null where the definition has one language; absent from older servers. */
export const englishName = z.exactOptional(z.nullable(z.string()))
