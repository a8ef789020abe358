import type { Texts } from './texts.ts'
import type { earlyZh } from './early.zh.ts'
import type { zh } from './zh.ts'
import type { guide } from './zh/guide.ts'
import type { selfcheck } from './zh/selfcheck.ts'

/** Keys of texts are checked by the compiler against the Chinese texts; what is put into a text is not. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts<
      typeof zh & typeof earlyZh & { readonly guide: typeof guide; readonly selfcheck: typeof selfcheck }
    >
    returnNull: false
  }
}
