import { describe, expect, it } from 'vitest'
import { calls } from '#core/api/table.ts'

/** Every call of specification §7, listed by hand from its text. */
const SPEC_CALLS = `
POST blade-auth/oauth/token
GET blade-auth/oauth/captcha
GET blade-auth/oauth/logout
POST blade-auth/oauth/logout
GET blade-auth/oauth/user-info
GET blade-auth/oauth/clear-cache
GET blade-auth/oauth/temp_token
POST blade-user/register-guest
GET blade-system/menu/buttons
POST edc/data/crf/save
POST edc/data/crf/remove
POST edc/data/crf/release/test
POST edc/data/crf/release
POST edc/data/crf/back
GET edc/data/crf/approve/list
POST edc/data/crf/approve/check
POST edc/data/crf/approve/sign
GET edc/data/crf/history/list
GET edc/data/crf/:/tree/list
GET edc/data/crf/list
POST edc/data/crf/patient/:/data/gap/check
GET edc/data/crf/patient/:/double/data/list
PUT edc/data/crf/patient/data/merge
PUT edc/data/item/gap/ignore
POST edc/data/crf/patient/create
DELETE edc/data/crf/patient/destroy
GET edc/data/crf/patient/detail
GET edc/data/crf/patient/list
GET edc/data/crf/page/content
GET edc/data/crf/patient/data/list
GET edc/data/crf/patient/attach/list
GET edc/data/crf/page/:/patients
POST edc/data/crf/page/:/sort
GET edc/data/crf/field/dynamic/:/patients
GET edc/data/page/attach/list
POST edc/data/page/attach/update
POST edc/data/page/attach/remove
GET edc/data/page/attach/:/detail
POST edc/data/page/:/save
POST edc/data/page/:/smartSave
POST edc/data/page/:/submit
POST edc/data/page/:/insert
POST edc/data/page/:/smartInsert
DELETE edc/data/page/delete
GET edc/data/crf/patient/:/notice
POST edc/data/folder/config
DELETE edc/data/folder/:/remove
GET edc/data/page/todo
GET edc/data/analysis/images
POST edc/project/save
POST edc/project/update
POST edc/project/remove
GET edc/project/detail
GET edc/project/list
GET edc/project/conf/detail
POST edc/project/conf/update
GET edc/project/aboutme
POST edc/project/changeStatus
GET edc/project/auth/list
GET edc/project/auth/resource/list
POST edc/project/auth/resource/config
GET edc/project/recruitment/info
POST edc/project/join
GET edc/project/center/list
GET edc/project/mem/list
POST edc/project/mem/remove
POST edc/project/mem/save
POST edc/project/mem/update
GET edc/project/mem/dept/user/list
GET edc/project/hospital/list
POST edc/project/hospital/remove
POST edc/project/hospital/save
POST edc/project/hospital/update
POST edc/project/dict/submit
POST edc/project/dict/fast/submit
GET edc/project/dict/parent-list
GET edc/project/dict/child-list
GET edc/project/dict/lazy-list
DELETE edc/project/dict/remove
POST edc/project/dict/template/:
GET edc/project/patient/list
GET edc/project/patient/detail
GET edc/project/patient/visit/list
POST edc/project/patient/remove
POST edc/project/patient/save
POST edc/project/patient/update
POST edc/project/patient/expert/save
POST edc/project/patient/mem/save
POST edc/project/patient/visit/update
POST edc/project/patient/visit/remove
POST edc/project/patient/visit/save
GET edc/project/patient/excel/:
POST edc/project/patient/send/notice
GET edc/task/:/result
GET edc/auth/menu/lazy-list
GET edc/auth/menu/menuTree
GET edc/auth/menu/detail
POST edc/auth/menu/submit
DELETE edc/auth/menu/remove
GET blade-system/menu/lazy-list
GET blade-system/menu/lazy-menu-list
GET blade-system/menu/tree
GET blade-system/menu/top-menu
GET blade-system/menu/routes
GET blade-system/menu/detail
POST blade-system/menu/remove
POST blade-system/menu/submit
GET blade-system/dict/list
GET blade-system/dict/parent-list
GET blade-system/dict/child-list
GET blade-system/dict/detail
GET blade-system/dict/tree
GET blade-system/dict/dictionary
POST blade-system/dict/remove
POST blade-system/dict/submit
GET blade-system/dict-biz/list
GET blade-system/dict-biz/parent-list
GET blade-system/dict-biz/child-list
GET blade-system/dict-biz/detail
GET blade-system/dict-biz/tree
GET blade-system/dict-biz/dictionary
POST blade-system/dict-biz/remove
POST blade-system/dict-biz/submit
GET blade-resource/sms/list
GET blade-resource/sms/detail
POST blade-resource/sms/remove
POST blade-resource/sms/submit
POST blade-resource/sms/enable
POST blade-resource/sms/endpoint/send-message
POST blade-resource/sms/endpoint/send-validate
GET edc/log/sms/list
GET blade-resource/email/list
GET blade-resource/email/detail
POST blade-resource/email/remove
POST blade-resource/email/submit
POST blade-resource/email/enable
POST blade-resource/email/endpoint/send-message
GET edc/log/email/list
GET blade-system/param/list
POST blade-system/param/remove
POST blade-system/param/submit
GET blade-log/usual/list
GET blade-log/usual/detail
GET blade-log/api/list
GET blade-log/api/detail
GET blade-log/error/list
GET blade-log/error/detail
GET edc/index/notice/list
POST edc/index/notice/click
POST edc/ai/chat
POST edc/ai/analyze
GET common/user/avatar/:
GET es/:/schema
POST es/:/search
`
  .trim()
  .split('\n')

function spelled(call: { readonly method: string; readonly path: string }): string {
  return `${call.method} ${call.path.slice(1).replaceAll(/:\w+/g, ':')}`
}

describe('the contract', () => {
  it('has every call of the specification', () => {
    const known = new Set(calls.map(spelled))
    expect(SPEC_CALLS.filter((call) => !known.has(call))).toEqual([])
  })

  it('names each call and each address once', () => {
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    expect(new Set(calls.map(spelled)).size).toBe(calls.length)
  })

  it('lets only writes that may be repeated wait in the outbox', () => {
    expect(calls.filter((call) => call.offline === 'queue' && !call.write)).toEqual([])
    expect(calls.filter((call) => call.offline === 'cache' && call.method !== 'GET')).toEqual([])
  })

  it('gives everything under /edc/data the entry pass, and everything under /edc/project the project', () => {
    const contexts = (start: string): readonly string[] => [
      ...new Set(calls.filter(({ path }) => path.startsWith(start)).map(({ context }) => context)),
    ]
    expect(contexts('/edc/data')).toEqual(['data'])
    expect(contexts('/edc/project')).toEqual(['project'])
  })
})
