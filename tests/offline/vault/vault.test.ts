import { describe, expect, test, vi } from 'vitest'
import { asGranted, seal, sealBytes, sensitiveLevel, unseal, unsealBytes } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'
import type { Sealed } from '#offline/db/rows.ts'
import { sealForRescue } from '#offline/vault/keys.ts'
import { Vault } from '#offline/vault/vault.ts'
import { fromBase64, fromUtf8, utf8 } from '#offline/bytes.ts'
import {
  CENTER_SCOPE,
  FEW_ROUNDS,
  PROJECT,
  authorOf,
  crcAtTablet,
  handOut,
  newStorage,
  person,
  rescuePair,
  scopeKeys,
} from '#tests/offline/support/tablet.ts'

const PLACE = { scope: CENTER_SCOPE, kind: 'given', id: '1' } as const
const DRAFT = { ...PLACE, kind: 'draft' } as const

/** Text under the seal of a kind that holds something else. */
function sealText(ring: KeyRing, place: SealPlace, text: string): Promise<Sealed> {
  return sealBytes(ring, place, 'sensitive', utf8(text))
}

async function unsealText(ring: KeyRing, place: SealPlace, sealed: Sealed): Promise<string | null> {
  const bytes = await unsealBytes(ring, place, sealed)
  return bytes === null ? null : fromUtf8(bytes)
}

describe('the vault of a tablet', () => {
  test('opens offline with the password after a restart, and only with that', async () => {
    const crc = await crcAtTablet()
    const sealed = await seal(crc.author.ring, PLACE, 'data', '128')
    crc.storage.close()

    const vault = new Vault(newStorage(crc.name).storage.work, FEW_ROUNDS)
    expect(await vault.unlock('crc', 'wrong password')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    expect(await vault.unlock('nobody', 'first password')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    expect(vault.state.state).toBe('locked')

    expect(await vault.unlock('crc', 'first password')).toEqual({ ok: true, value: crc.owner })
    expect(await unseal(authorOf(vault).ring, PLACE, sealed)).toBe('128')
    vault.lock()
    expect(vault.state.state).toBe('locked')
  })

  test('lets the next shift open the same store under its own name', async () => {
    const keys = [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)]
    const { storage } = newStorage()
    const [day, night] = [new Vault(storage.work, FEW_ROUNDS), new Vault(storage.work, FEW_ROUNDS)]
    await day.enrol(person('day'), 'day password', await handOut(keys))
    await night.enrol(person('night'), 'night password', await handOut(keys))
    const sealed = await seal(authorOf(day).ring, PLACE, 'sensitive', '张三')

    expect(await unseal(authorOf(night).ring, PLACE, sealed)).toBe('张三')
    expect((await night.users()).map(({ account }) => account).toSorted()).toEqual(['day', 'night'])
    expect((await night.unlock('day', 'night password')).ok).toBe(false)
  })

  test('keeps the keys of a withdrawn scope while something in it is unsent, and no longer', async () => {
    const [common, center] = [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)]
    const crc = await crcAtTablet([common, center])
    const sealed = await seal(crc.author.ring, PLACE, 'data', '128')
    crc.vault.lock()
    await crc.vault.enrol(crc.owner, 'first password', await handOut([common]), {
      unsent: new Set([CENTER_SCOPE]),
      undecided: new Set(),
    })
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBe('128')
    await crc.vault.enrol(crc.owner, 'first password', await handOut([common]))
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBeNull()
  })

  test('keeps what one entered readable while it is unsent though one may see patients no more, and nothing else', async () => {
    const keys = scopeKeys(CENTER_SCOPE)
    const masked = { ...keys, sensitive: null }
    const crc = await crcAtTablet([keys])
    const entered = await sealText(crc.author.ring, DRAFT, '王女士')
    const copied = await seal(crc.author.ring, PLACE, 'sensitive', '王女士')
    const opened = async (vault: Vault) => {
      const { ring } = authorOf(vault)
      return [
        await unsealText(ring, DRAFT, entered),
        await unseal(ring, PLACE, copied),
        await unsealText(asGranted(ring), DRAFT, entered),
        sensitiveLevel(ring, CENTER_SCOPE),
      ]
    }
    await crc.vault.enrol(crc.owner, 'first password', await handOut([masked]), {
      unsent: new Set([CENTER_SCOPE]),
      undecided: new Set(),
    })
    expect(await opened(crc.vault)).toEqual(['王女士', null, null, 'data'])
    const restarted = new Vault(crc.storage.work, FEW_ROUNDS)
    await restarted.unlock('crc', 'first password')
    expect(await opened(restarted)).toEqual(['王女士', null, null, 'data'])

    // An operation that is made anew stays under the key that it was under.
    expect(await sealText(authorOf(restarted).ring, { ...PLACE, kind: 'op' }, '王女士')).toMatchObject({
      level: 'sensitive',
    })
    await expect(seal(authorOf(restarted).ring, PLACE, 'sensitive', '王女士')).rejects.toMatchObject({
      error: { code: 'vault_locked' },
    })

    await restarted.enrol(crc.owner, 'first password', await handOut([masked]))
    expect(await opened(restarted)).toEqual([null, null, null, 'data'])
  })

  test('keeps them where the password was forgotten as well, until the old one opens them', async () => {
    const keys = scopeKeys(CENTER_SCOPE)
    const crc = await crcAtTablet([keys])
    const entered = await sealText(crc.author.ring, DRAFT, '王女士')
    const later = new Vault(crc.storage.work, FEW_ROUNDS)
    await later.enrol(crc.owner, 'new password', await handOut([{ ...keys, sensitive: null }]), {
      unsent: new Set([CENTER_SCOPE]),
      undecided: new Set(),
    })
    expect(await unsealText(authorOf(later).ring, DRAFT, entered)).toBeNull()
    expect(await later.hasOlder()).toBe(true)
    expect((await later.recover('first password')).ok).toBe(true)
    expect(await unsealText(authorOf(later).ring, DRAFT, entered)).toBe('王女士')
    expect(await later.hasOlder()).toBe(false)
  })

  test('loses nothing when a password was forgotten: the next sign-in hands the same keys out again', async () => {
    const keys = [scopeKeys(CENTER_SCOPE)]
    const { storage } = newStorage()
    const vault = new Vault(storage.work, FEW_ROUNDS)
    const owner = person('crc')
    await vault.enrol(owner, 'forgotten', await handOut(keys))
    const sealed = await seal(authorOf(vault).ring, PLACE, 'data', '120')
    vault.lock()

    await vault.enrol(owner, 'new password', await handOut(keys))
    expect(await unseal(authorOf(vault).ring, PLACE, sealed)).toBe('120')
    vault.lock()
    expect((await vault.unlock('crc', 'forgotten')).ok).toBe(false)
    expect((await vault.unlock('crc', 'new password')).ok).toBe(true)
  })

  test('ends access to a withdrawn scope, on the disk too', async () => {
    const crc = await crcAtTablet()
    const sealed = await seal(crc.author.ring, PLACE, 'data', '120')
    await crc.vault.dropScopes(crc.owner.userId, new Set([CENTER_SCOPE]))
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBeNull()
    crc.vault.lock()
    await crc.vault.unlock('crc', 'first password')
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBeNull()
  })

  test('keeps open what is open when the same keys are handed out again, and takes others', async () => {
    const given = await handOut([scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)])
    const vault = new Vault(newStorage().storage.work, FEW_ROUNDS)
    const owner = person('crc')
    await vault.enrol(owner, 'first password', given)
    const { ring } = authorOf(vault)
    await vault.addKeys(owner.userId, given)
    expect(authorOf(vault).ring).toBe(ring)

    const sealed = await seal(ring, PLACE, 'data', '128')
    await vault.addKeys(owner.userId, { ...given, scopes: [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)] })
    expect(authorOf(vault).ring).not.toBe(ring)
    expect(await unseal(authorOf(vault).ring, PLACE, sealed)).toBeNull()
  })

  test('holds all keys that were taken in at the same time, open and on the disk', async () => {
    const [common, center, other] = [
      scopeKeys(PROJECT),
      scopeKeys(CENTER_SCOPE),
      scopeKeys(`${PROJECT}/${crypto.randomUUID()}/1`),
    ]
    const crc = await crcAtTablet([common])
    const given = await Promise.all([handOut([center]), handOut([other])])
    await Promise.all(given.map((keys) => crc.vault.addKeys(crc.owner.userId, keys)))
    const all = [PROJECT, CENTER_SCOPE, other.scope].toSorted()
    expect([...authorOf(crc.vault).ring.keys()].toSorted()).toEqual(all)

    // The same beside a sign-in over the page.
    const more = scopeKeys(`${PROJECT}/${crypto.randomUUID()}/1`)
    const handed = await handOut([more])
    await Promise.all([
      crc.vault.enrol(crc.owner, 'first password', given[0], { unsent: new Set(all), undecided: new Set() }),
      crc.vault.addKeys(crc.owner.userId, handed),
      crc.vault.dropScopes(crc.owner.userId, new Set([other.scope])),
    ])
    const left = [PROJECT, CENTER_SCOPE, more.scope].toSorted()
    expect([...authorOf(crc.vault).ring.keys()].toSorted()).toEqual(left)
    const restarted = new Vault(crc.storage.work, FEW_ROUNDS)
    await restarted.unlock('crc', 'first password')
    expect([...authorOf(restarted).ring.keys()].toSorted()).toEqual(left)
  })

  test('stays closed when it is closed while keys are being written or tried', async () => {
    const crc = await crcAtTablet([scopeKeys(PROJECT)])
    const { secret } = crc.vault
    if (secret === null) throw new Error('the vault is locked')
    const given = await handOut([scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)])
    const underWay = [crc.vault.addKeys(crc.owner.userId, given), crc.vault.enrol(crc.owner, 'first password', given)]
    crc.vault.lock()
    await Promise.all(underWay)
    expect(crc.vault.state.state).toBe('locked')

    const [unlocking, reopening] = [crc.vault.unlock('crc', 'first password'), crc.vault.reopen(secret)]
    crc.vault.lock()
    expect([await unlocking, await reopening]).toEqual([{ ok: false, error: { code: 'vault_locked' } }, null])
    expect(crc.vault.state.state).toBe('locked')
    // What was being written is on the disk for the next time.
    expect((await crc.vault.unlock('crc', 'first password')).ok).toBe(true)
    expect([...authorOf(crc.vault).ring.keys()]).toContain(CENTER_SCOPE)
  })

  test('takes keys that were asked for by whoever was here before into nobody else’s vault', async () => {
    const crc = await crcAtTablet([scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)])
    const colleague = person('colleague')
    crc.vault.lock()
    await expect(crc.vault.addKeys(crc.owner.userId, await handOut([scopeKeys(PROJECT)]))).rejects.toMatchObject({
      error: { code: 'vault_locked' },
    })
    await crc.vault.enrol(colleague, 'other password', await handOut([scopeKeys(PROJECT)]))
    const { keys } = openOf(crc.vault)
    await expect(crc.vault.addKeys(crc.owner.userId, await handOut([scopeKeys(CENTER_SCOPE)]))).rejects.toMatchObject({
      error: { code: 'vault_locked' },
    })
    await crc.vault.dropScopes(crc.owner.userId, new Set([PROJECT]))
    expect(openOf(crc.vault).keys).toBe(keys)
  })

  test('a password that the server refused stays refused beside keys that are taken in', async () => {
    const crc = await crcAtTablet([scopeKeys(PROJECT)])
    const beside = new Vault(crc.storage.work, FEW_ROUNDS)
    const given = await handOut([scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)])
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
    // In the tab beside, after this one has read the row and before it writes it.
    vi.spyOn(crypto.subtle, 'encrypt').mockImplementationOnce(async (...what) => {
      await beside.close(crc.owner.userId, 'password_changed')
      return encrypt(...what)
    })
    await crc.vault.addKeys(crc.owner.userId, given)
    expect(await beside.unlock('crc', 'first password')).toEqual({ ok: false, error: { code: 'password_changed' } })
  })

  test('refuses a sealed row that was moved to another place', async () => {
    const { author } = await crcAtTablet()
    const sealed = await seal(author.ring, PLACE, 'data', '120')
    await expect(unseal(author.ring, { ...PLACE, id: '2' }, sealed)).rejects.toMatchObject({
      error: { code: 'storage_lost' },
    })
  })

  test('seals a rescue export so that only the server reads it', async () => {
    const { publicKey, privateKey } = await rescuePair
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64')
    const file = await sealForRescue(spki, { value: '体重70' })
    expect(file).not.toContain('体重70')

    const { key, iv, data } = JSON.parse(file) as { key: string; iv: string; data: string }
    const raw = await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, privateKey, fromBase64(key))
    const aes = await crypto.subtle.importKey('raw', raw, { name: 'AES-GCM' }, false, ['decrypt'])
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv) }, aes, fromBase64(data))
    expect(JSON.parse(fromUtf8(plain))).toEqual({ value: '体重70' })
  })
})

function openOf({ state }: Vault) {
  if (state.state === 'locked') throw new Error('the vault is locked')
  return state
}
