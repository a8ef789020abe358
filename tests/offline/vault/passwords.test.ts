import { expect, test } from 'vitest'
import { seal, unseal } from '#offline/vault/codec.ts'
import { lockAway, lockKeyOf, takeOut } from '#offline/vault/lockBox.ts'
import { Vault } from '#offline/vault/vault.ts'
import {
  CENTER_SCOPE,
  FEW_ROUNDS,
  PROJECT,
  authorOf,
  crcAtTablet,
  handOut,
  scopeKeys,
  valueOf,
} from '#tests/offline/support/tablet.ts'

/** Passwords that were forgotten or changed, tabs that write at the same time, and the lock password. */

const PLACE = { scope: CENTER_SCOPE, kind: 'file', id: '1' } as const
const WAITING = { unsent: new Set([CENTER_SCOPE]), undecided: new Set<string>() }

/**
 * A CRC with unsent work, whose right was withdrawn and who has forgotten the password: the server hands out the common
 * keys only.
 */
async function forgotten() {
  const [common, center] = [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)]
  const crc = await crcAtTablet([common, center])
  const sealed = await seal(crc.author.ring, PLACE, 'data', '128')
  const later = new Vault(crc.storage.work, FEW_ROUNDS)
  await later.enrol(crc.owner, 'new password', await handOut([common]), WAITING)
  return { ...crc, common, sealed, later }
}

test('keys that only the forgotten password opens stay beside the new ones, and come back when it is remembered', async () => {
  const { later, sealed, storage } = await forgotten()
  expect(await unseal(authorOf(later).ring, PLACE, sealed)).toBeNull()
  expect(await later.hasOlder()).toBe(true)
  expect(await later.recover('a guess')).toEqual({ ok: false, error: { code: 'password_wrong' } })

  valueOf(await later.recover('first password'))
  expect(await unseal(authorOf(later).ring, PLACE, sealed)).toBe('128')
  expect(await later.hasOlder()).toBe(false)
  const restarted = new Vault(storage.work, FEW_ROUNDS)
  expect((await restarted.unlock('crc', 'first password')).ok).toBe(false)
  valueOf(await restarted.unlock('crc', 'new password'))
  expect(await unseal(authorOf(restarted).ring, PLACE, sealed)).toBe('128')
})

test('they stay through further sign-ins and a second forgotten password, and go when nothing unsent needs them', async () => {
  const { later, owner, common, sealed, storage } = await forgotten()
  await later.enrol(owner, 'new password', await handOut([common]), WAITING)
  const third = new Vault(storage.work, FEW_ROUNDS)
  await third.enrol(owner, 'third password', await handOut([common]), WAITING)
  valueOf(await third.recover('first password'))
  expect(await unseal(authorOf(third).ring, PLACE, sealed)).toBe('128')

  const again = await forgotten()
  await again.later.enrol(again.owner, 'new password', await handOut([again.common]))
  expect(await again.later.hasOlder()).toBe(false)
  expect(await again.later.recover('first password')).toEqual({ ok: false, error: { code: 'password_wrong' } })
})

test('an old password opens the device no more, whatever lies beside', async () => {
  const { storage } = await forgotten()
  expect(await new Vault(storage.work, FEW_ROUNDS).unlock('crc', 'first password')).toEqual({
    ok: false,
    error: { code: 'password_wrong' },
  })
})

test('two tabs that take in keys at the same time lose none of each other’s', async () => {
  const [common, center, other] = [
    scopeKeys(PROJECT),
    scopeKeys(CENTER_SCOPE),
    scopeKeys(`${PROJECT}/${crypto.randomUUID()}/1`),
  ]
  const crc = await crcAtTablet([common])
  const beside = new Vault(crc.storage.work, FEW_ROUNDS)
  valueOf(await beside.unlock('crc', 'first password'))
  await Promise.all([
    handOut([center]).then((given) => crc.vault.addKeys(crc.owner.userId, given)),
    handOut([other]).then((given) => beside.addKeys(crc.owner.userId, given)),
  ])

  const restarted = new Vault(crc.storage.work, FEW_ROUNDS)
  valueOf(await restarted.unlock('crc', 'first password'))
  expect([...authorOf(restarted).ring.keys()].toSorted()).toEqual([PROJECT, CENTER_SCOPE, other.scope].toSorted())
})

test('a tab that still works under the password from before never puts it back', async () => {
  const [common, center] = [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)]
  const crc = await crcAtTablet([common])
  await new Vault(crc.storage.work, FEW_ROUNDS).enrol(crc.owner, 'new password', await handOut([common]))
  await crc.vault.addKeys(crc.owner.userId, await handOut([center]))
  const restarted = new Vault(crc.storage.work, FEW_ROUNDS)
  expect((await restarted.unlock('crc', 'first password')).ok).toBe(false)
  valueOf(await restarted.unlock('crc', 'new password'))
  // What that tab knew is not lost: it lies beside, under its password.
  valueOf(await restarted.recover('first password'))
  expect([...authorOf(restarted).ring.keys()]).toContain(CENTER_SCOPE)
})

test('the lock password opens what was locked away, and nothing else does', async () => {
  const crc = await crcAtTablet()
  const sealed = await seal(crc.author.ring, PLACE, 'data', 'typed')
  const { secret } = crc.vault
  if (secret === null) throw new Error('the vault is locked')
  const box = await lockAway(await lockKeyOf('1234', FEW_ROUNDS), { ...secret })
  crc.vault.lock()
  expect(crc.vault.secret).toBeNull()
  expect(await takeOut(box, '1235')).toBeNull()
  const opened = await takeOut(box, '1234')
  expect(opened?.content).toEqual(secret)
  expect(await crc.vault.reopen(secret)).toEqual(crc.owner)
  expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBe('typed')
  // And can go on writing under the sign-in password.
  await crc.vault.dropScopes(crc.owner.userId, new Set([CENTER_SCOPE]))
  const restarted = new Vault(crc.storage.work, FEW_ROUNDS)
  valueOf(await restarted.unlock('crc', 'first password'))
  expect([...authorOf(restarted).ring.keys()]).toEqual([PROJECT])
})

test('a locked vault whose password was changed meanwhile, or that was cleared, asks for the password', async () => {
  const crc = await crcAtTablet()
  const { secret } = crc.vault
  if (secret === null) throw new Error('the vault is locked')
  crc.vault.lock()
  await new Vault(crc.storage.work, FEW_ROUNDS).enrol(crc.owner, 'new password', await handOut([scopeKeys(PROJECT)]))
  expect(await crc.vault.reopen(secret)).toBeNull()
  await crc.storage.work.vault.clear()
  expect(await crc.vault.reopen(secret)).toBeNull()
  expect(crc.vault.state.state).toBe('locked')
})
