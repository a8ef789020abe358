import { globalButtons } from '#core/access/menus.ts'
import type { Handlers } from '#server/http/handler.ts'
import { changePassword, readUserInfo, signOut } from '#server/areas/auth/account.ts'
import { makeCaptcha } from '#server/areas/auth/captcha.ts'
import { issueToken } from '#server/areas/auth/signIn.ts'

export const handlers: Handlers = {
  'auth.token': issueToken,
  'auth.captcha': ({ services, query }) => makeCaptcha(services, query.way ?? 'picture'),
  'auth.logout': async (context) => {
    await signOut(context)
    return { success: true, msg: context.language === 'en' ? 'Signed out' : '退出成功' }
  },
  'auth.userInfo': readUserInfo,
  'auth.changePassword': changePassword,
  'auth.buttons': async ({ actor }) => globalButtons(actor.isAdmin),
  'auth.tenantInfo': async () => ({}),
  // The app has its own menus until they can be administered.
  'menu.topMenu': async () => [],
  'menu.routes': async () => [],
}
