import { describe, expect, test } from 'vitest'
import { asGranted, seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import { sealForRescue } from '#offline/vault/keys.ts'
import { Vault } from '#offline/vault/vault.ts'
import { fromBase64, fromUtf8 } from '#offline/bytes.ts'
import { CENTER_SCOPE, FEW_ROUNDS, PROJECT, authorOf, crcAtTablet, handOut, newStorage, person, rescuePair, scopeKeys } from '#tests/offline/support/tablet.ts'

const PLACE = { scope: CENTER_SCOPE, kind: 'entry', id: '1' }
const DRAFT = { ...PLACE, kind: 'draft' }

describe('the vault of a tablet', () => {
  test('opens offline with the password after a restart, and only with that', async () => {
    const crc = await crcAtTablet()
    const sealed = await seal(crc.author.ring, PLACE, 'data', { value: 128 })
    crc.storage.close()

    const vault = new Vault(newStorage(crc.name).storage.work, FEW_ROUNDS)
    expect(await vault.unlock('crc', 'wrong password')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    expect(await vault.unlock('nobody', 'first password')).toEqual({ ok: false, error: { code: 'password_wrong' } })
    expect(vault.state.state).toBe('locked')

    expect(await vault.unlock('crc', 'first password')).toEqual({ ok: true, value: crc.owner })
    expect(await unseal(authorOf(vault).ring, PLACE, sealed)).toEqual({ value: 128 })
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
    const sealed = await seal(crc.author.ring, PLACE, 'data', { value: 128 })
    crc.vault.lock()
    await crc.vault.enrol(crc.owner, 'first password', await handOut([common]), { unsent: new Set([CENTER_SCOPE]), undecided: new Set() })
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toEqual({ value: 128 })
    await crc.vault.enrol(crc.owner, 'first password', await handOut([common]))
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBeNull()
  })

  test('keeps what one entered readable while it is unsent though one may see patients no more, and nothing else', async () => {
    const keys = scopeKeys(CENTER_SCOPE)
    const masked = { ...keys, sensitive: null }
    const crc = await crcAtTablet([keys])
    const entered = await seal(crc.author.ring, DRAFT, 'sensitive', '王女士')
    const copied = await seal(crc.author.ring, PLACE, 'sensitive', '王女士')
    const opened = async (vault: Vault) => {
      const { ring } = authorOf(vault)
      return [await unseal(ring, DRAFT, entered), await unseal(ring, PLACE, copied), await unseal(asGranted(ring), DRAFT, entered), sensitiveLevel(ring, CENTER_SCOPE)]
    }
    await crc.vault.enrol(crc.owner, 'first password', await handOut([masked]), { unsent: new Set([CENTER_SCOPE]), undecided: new Set() })
    expect(await opened(crc.vault)).toEqual(['王女士', null, null, 'data'])
    const restarted = new Vault(crc.storage.work, FEW_ROUNDS)
    await restarted.unlock('crc', 'first password')
    expect(await opened(restarted)).toEqual(['王女士', null, null, 'data'])

    // An operation that is made anew stays under the key that it was under.
    expect(await seal(authorOf(restarted).ring, { ...PLACE, kind: 'op' }, 'sensitive', '王女士')).toMatchObject({ level: 'sensitive' })
    await expect(seal(authorOf(restarted).ring, PLACE, 'sensitive', '王女士')).rejects.toMatchObject({ error: { code: 'vault_locked' } })

    await restarted.enrol(crc.owner, 'first password', await handOut([masked]))
    expect(await opened(restarted)).toEqual([null, null, null, 'data'])
  })

  test('keeps them where the password was forgotten as well, until the old one opens them', async () => {
    const keys = scopeKeys(CENTER_SCOPE)
    const crc = await crcAtTablet([keys])
    const entered = await seal(crc.author.ring, DRAFT, 'sensitive', '王女士')
    const later = new Vault(crc.storage.work, FEW_ROUNDS)
    await later.enrol(crc.owner, 'new password', await handOut([{ ...keys, sensitive: null }]), { unsent: new Set([CENTER_SCOPE]), undecided: new Set() })
    expect(await unseal(authorOf(later).ring, DRAFT, entered)).toBeNull()
    expect(await later.hasOlder()).toBe(true)
    expect((await later.recover('first password')).ok).toBe(true)
    expect(await unseal(authorOf(later).ring, DRAFT, entered)).toBe('王女士')
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
    await crc.vault.dropScopes(new Set([CENTER_SCOPE]))
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBeNull()
    crc.vault.lock()
    await crc.vault.unlock('crc', 'first password')
    expect(await unseal(authorOf(crc.vault).ring, PLACE, sealed)).toBeNull()
  })

  test('keeps open what is open when the same keys are handed out again, and takes others', async () => {
    const given = await handOut([scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)])
    const vault = new Vault(newStorage().storage.work, FEW_ROUNDS)
    await vault.enrol(person('crc'), 'first password', given)
    const { ring } = authorOf(vault)
    await vault.addKeys(given)
    expect(authorOf(vault).ring).toBe(ring)

    const sealed = await seal(ring, PLACE, 'data', { value: 128 })
    await vault.addKeys({ ...given, scopes: [scopeKeys(PROJECT), scopeKeys(CENTER_SCOPE)] })
    expect(authorOf(vault).ring).not.toBe(ring)
    expect(await unseal(authorOf(vault).ring, PLACE, sealed)).toBeNull()
  })

  test('refuses a sealed row that was moved to another place', async () => {
    const { author } = await crcAtTablet()
    const sealed = await seal(author.ring, PLACE, 'data', '120')
    await expect(unseal(author.ring, { ...PLACE, id: '2' }, sealed)).rejects.toMatchObject({ error: { code: 'storage_lost' } })
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
