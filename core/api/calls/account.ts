import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { treeNode } from '#core/api/treeNode.ts'
import { filledText, json, text } from '#core/wire/shapes.ts'

/**
 * What of accounts and menus a sign-in does without (specification §7 Auth, System and resources). Apart, so that its
 * script stays small.
 */

const buttonNode = z.object({
  id: z.string(),
  parentId: z.string(),
  code: z.string(),
  name: z.string(),
  category: z.int(),
  children: z.optional(z.array(json)),
})

const AUTH = 'server/areas/auth'

/** Of the signed-in user, and before there is one. */
export const accountCalls = [
  defineCall({
    id: 'auth.clearCache',
    area: 'auth',
    method: 'GET',
    path: '/blade-auth/oauth/clear-cache',
    summary: 'Drops cached rights of the signed-in user on the server.',
    data: z.boolean(),
  }),
  defineCall({
    id: 'auth.tempToken',
    area: 'auth',
    method: 'GET',
    path: '/blade-auth/oauth/temp_token',
    summary: 'A short-lived token for one download.',
    data: z.string(),
  }),
  defineCall({
    id: 'auth.registerGuest',
    area: 'auth',
    method: 'POST',
    path: '/blade-user/register-guest',
    summary: 'Registers a guest; an administrator admits them.',
    auth: 'none',
    query: z.object({
      tenantId: z.optional(text(20)),
      name: filledText(100),
      account: filledText(100),
      oauthId: z.optional(text(100)),
    }),
    body: z.object({ password: filledText(400) }),
    data: z.boolean(),
  }),
  defineCall({
    id: 'auth.buttons',
    area: 'menu',
    method: 'GET',
    path: '/blade-system/menu/buttons',
    summary: 'Menus that own buttons; leaf nodes carry no `children`.',
    data: buttonNode,
    answer: 'tree',
    servedBy: AUTH,
  }),
  defineCall({
    id: 'auth.tenantInfo',
    area: 'auth',
    method: 'GET',
    path: '/blade-system/tenant/info',
    summary: 'Tenant mode is off: an empty object.',
    auth: 'none',
    query: z.object({ domain: z.optional(text(400)) }),
    data: z.object({}),
    servedBy: AUTH,
  }),
]

const menuNode = z.object({
  id: z.string(),
  parentId: z.string(),
  code: z.string(),
  name: z.string(),
  alias: z.nullable(z.string()),
  path: z.nullable(z.string()),
  source: z.nullable(z.string()),
  sort: z.int(),
  category: z.int(),
  action: z.int(),
  isOpen: z.int(),
  isShow: z.int(),
  remark: z.nullable(z.string()),
  hasChildren: z.optional(z.boolean()),
  children: z.optional(z.array(json)),
})
const byParent = z.object({ parentId: z.optional(text(60)), name: z.optional(text(100)), code: z.optional(text(100)) })
/** Menus right below a parent. */
const menusBelow = { auth: 'admin', query: byParent, data: menuNode, answer: 'tree' } as const
const byId = z.object({ id: text(60) })
const byIds = z.object({ ids: text(20_000) })
const menuSubmit = z.object({
  id: z.optional(text(60)),
  parentId: z.optional(text(60)),
  code: text(100),
  name: filledText(100),
  path: z.optional(text(400)),
  source: z.optional(text(2000)),
  sort: z.optional(z.int()),
  category: z.optional(z.int()),
  isShow: z.optional(z.int()),
  remark: z.optional(text(400)),
})

/** Menu administration, ours and the family's (specification §7 System and resources). */
export const menuCalls = [
  defineCall({
    id: 'edcMenu.lazyList',
    area: 'menu',
    method: 'GET',
    path: '/edc/auth/menu/lazy-list',
    summary: 'Menus below a parent.',
    ...menusBelow,
  }),
  defineCall({
    id: 'edcMenu.tree',
    area: 'menu',
    method: 'GET',
    path: '/edc/auth/menu/menuTree',
    summary: 'The menu tree.',
    auth: 'admin',
    data: treeNode,
    answer: 'tree',
  }),
  defineCall({
    id: 'edcMenu.detail',
    area: 'menu',
    method: 'GET',
    path: '/edc/auth/menu/detail',
    summary: 'One menu.',
    auth: 'admin',
    query: byId,
    data: menuNode,
  }),
  defineCall({
    id: 'edcMenu.submit',
    area: 'menu',
    method: 'POST',
    path: '/edc/auth/menu/submit',
    summary: 'Adds or changes a menu.',
    auth: 'admin',
    body: menuSubmit,
    data: z.boolean(),
  }),
  defineCall({
    id: 'edcMenu.remove',
    area: 'menu',
    method: 'DELETE',
    path: '/edc/auth/menu/remove',
    summary: 'Removes menus.',
    auth: 'admin',
    query: byIds,
    data: z.boolean(),
  }),
  defineCall({
    id: 'menu.lazyList',
    area: 'menu',
    method: 'GET',
    path: '/blade-system/menu/lazy-list',
    summary: 'Menus and buttons below a parent.',
    ...menusBelow,
  }),
  defineCall({
    id: 'menu.lazyMenuList',
    area: 'menu',
    method: 'GET',
    path: '/blade-system/menu/lazy-menu-list',
    summary: 'Menus below a parent.',
    ...menusBelow,
  }),
  defineCall({
    id: 'menu.tree',
    area: 'menu',
    method: 'GET',
    path: '/blade-system/menu/tree',
    summary: 'The tree of menus.',
    auth: 'admin',
    query: z.object({ tenantId: z.optional(text(20)) }),
    data: treeNode,
    answer: 'tree',
  }),
  defineCall({
    id: 'menu.topMenu',
    area: 'menu',
    method: 'GET',
    path: '/blade-system/menu/top-menu',
    summary: 'Top menus.',
    data: menuNode,
    answer: 'tree',
    servedBy: AUTH,
  }),
  defineCall({
    id: 'menu.routes',
    area: 'menu',
    method: 'GET',
    path: '/blade-system/menu/routes',
    summary: 'Routes of a top menu.',
    query: z.object({ topMenuId: z.optional(text(60)) }),
    data: menuNode,
    answer: 'tree',
    servedBy: AUTH,
  }),
  defineCall({
    id: 'menu.detail',
    area: 'menu',
    method: 'GET',
    path: '/blade-system/menu/detail',
    summary: 'One menu.',
    auth: 'admin',
    query: byId,
    data: menuNode,
  }),
  defineCall({
    id: 'menu.remove',
    area: 'menu',
    method: 'POST',
    path: '/blade-system/menu/remove',
    summary: 'Removes menus.',
    auth: 'admin',
    query: byIds,
    data: z.boolean(),
  }),
  defineCall({
    id: 'menu.submit',
    area: 'menu',
    method: 'POST',
    path: '/blade-system/menu/submit',
    summary: 'Adds or changes a menu.',
    auth: 'admin',
    body: menuSubmit,
    data: z.boolean(),
  }),
]
