import { messagesZh } from '#core/api/messages.zh.ts'

import { common } from './zh/common.ts'
import { login } from './zh/login.ts'

/** The texts that sign-in needs, in the language that is always there. */
export const earlyZh = { common, login, errors: messagesZh }
