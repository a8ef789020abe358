import { messagesEn } from '#core/api/messages.en.ts'

import { common } from './en/common.ts'
import { login } from './en/login.ts'

/** The texts that sign-in needs, in English: loaded when somebody wants them. */
export const earlyEn = { common, login, errors: messagesEn }
