import type { QueryRights } from '#core/review/query.ts'

import type { PermissionCode } from './permissions.ts'

/** What somebody with these permissions may do with queries (core/review/query.ts). */
export function queryRightsOf(held: { readonly has: (code: PermissionCode) => boolean }): QueryRights {
  return {
    asks: held.has('query_add'),
    answers: held.has('query_answer'),
    closes: held.has('query_close'),
    manages: held.has('data_review'),
  }
}
