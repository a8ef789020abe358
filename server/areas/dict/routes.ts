import { fixedList } from '#core/access/fixedLists.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'dict.dictionary': async ({ query }) =>
    fixedList(query.code).map(({ key, value }, index) => ({
      id: `${query.code}.${key}`,
      parentId: query.code,
      code: query.code,
      dictKey: key,
      dictValue: value,
      sort: index + 1,
      remark: null,
      isSealed: 0,
    })),
}
