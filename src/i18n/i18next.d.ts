import type { common } from './zh/common.ts'
import type { login } from './zh/login.ts'
import type { zh } from './zh.ts'

/** Keys of texts are checked by the compiler against the Chinese texts. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: typeof zh & { readonly common: typeof common; readonly login: typeof login }
    returnNull: false
  }
}
