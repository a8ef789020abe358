import type { Texts } from './texts.ts'
import type { common } from './zh/common.ts'
import type { login } from './zh/login.ts'
import type { zh } from './zh.ts'

/** Keys of texts are checked by the compiler against the Chinese texts; what is put into a text is not. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts<typeof zh & { readonly common: typeof common; readonly login: typeof login }>
    returnNull: false
  }
}
