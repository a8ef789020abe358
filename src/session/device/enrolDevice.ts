import type { ApiError } from '#core/api/errors.ts'
import { errorKind } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { DeviceKeys } from '#core/sync/protocol/deviceKeys.ts'
import { scopesFor } from '#core/sync/protocol/scope.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import { isTypedIn } from '#offline/draft/typedIn.ts'
import { noteServerTime } from '#offline/sync/clock.ts'
import { forgottenScopes } from '#offline/sync/forgotten.ts'
import type { Vault } from '#offline/vault/vault.ts'
import type { Api } from '#src/session/api.ts'
import { APP_VERSION } from '#src/session/appVersion.ts'
import type { SessionUser } from '#src/session/types.ts'

/** Makes a device known to the server, and a user's keys known to the device. */

interface Parts {
  readonly api: Api
  readonly storage: Storage
  readonly vault: Vault
  readonly deviceId: string
  /** How often the vault had been closed when this was requested. */
  readonly closings?: number
}

/**
 * Registers the device and takes the user's keys into the vault: for every scope that somebody keeps here, so that the
 * next shift opens the same store under its own name, and for scopes whose sent work must be offered again to a
 * restored server. A scope that the server does not grant is left out.
 *
 * @param typedIn whether a page of a scope may be typed on now: a new sign-in over it takes away none of the keys that
 *   its typing is sealed under
 */
export async function enrolDevice(
  parts: Parts,
  user: SessionUser,
  password: string,
  typedIn: (scope: string) => Promise<boolean> = isTypedIn,
): Promise<Result<true, ApiError>> {
  const { api, storage, vault, deviceId, closings } = parts
  const loss = await storage.run(async ({ work }) => (await getMeta(work, 'storageLoss')) ?? null)
  if (!loss.ok) return loss
  const tellsLoss = loss.value !== null && !loss.value.told
  const device = await api.call('sync.device', {
    body: {
      deviceId,
      name: deviceName(),
      userAgent: navigator.userAgent.slice(0, 500),
      appVersion: APP_VERSION,
      persisted: (await (navigator as Partial<Navigator>).storage?.persisted()) ?? false,
      ...(tellsLoss ? { storageLost: true } : {}),
    },
  })
  if (!device.ok) return device
  if (tellsLoss) {
    const { lostUnsent } = device.value
    const told = await storage.run(({ work }) => setMeta(work, 'storageLoss', { told: true, lostUnsent }))
    if (!told.ok) return told
  }
  await noteServerTime({ storage, now: () => Date.now() }, device.value.serverTime)
  if (device.value.blocked) return err({ code: 'device_blocked' })
  const { epoch } = device.value
  const chosen = await storage.run(async ({ work }) => ({
    kept: await work.kept.toArray(),
    forgotten: await forgottenScopes(work, epoch),
  }))
  if (!chosen.ok) return chosen
  const { kept, forgotten } = chosen.value
  const scopes = [...new Set([...kept.map(({ scope }) => scope), ...forgotten])]
  // Nobody has chosen to keep a scope of which colleagues have only opened patients, or which they have given up.
  const whole = new Set(kept.flatMap(({ scope, light }) => (light === 1 ? [] : [scope])))
  const given = await keysFor(api, deviceId, scopes)
  if (!given.ok) return given
  const open: { readonly scope: string }[] = []
  for (const scope of scopes) if (await typedIn(scope)) open.push({ scope })
  return storage.run(async ({ work }) => {
    const waiting = await work.outbox.where('state').notEqual('aside').toArray()
    const typed = await work.drafts.toArray()
    // What the server took in for a decision stays readable for its author: it may have to be entered again.
    const undecided = await work.receipts
      .where('outcome')
      .anyOf('inbox', 'held')
      .filter(({ op, notedAt }) => op !== null && notedAt === undefined)
      .toArray()
    // Typing can be understood only with the definitions in the project's common scope.
    const scopesOf = (rows: readonly { readonly scope: string }[]): ReadonlySet<string> =>
      new Set(rows.flatMap(({ scope }) => scopesFor(scope)))
    await vault.enrol(
      user,
      password,
      given.value,
      { unsent: scopesOf([...waiting, ...typed, ...open]), undecided: scopesOf(undecided) },
      closings,
    )
    await setMeta(work, 'serverEpoch', epoch)
    const since = new Date().toISOString()
    const granted = given.value.scopes.map(({ scope }) => scope)
    const own = await work.kept.where('userId').equals(user.userId).primaryKeys()
    const known = new Set(own.map(([scope]) => scope))
    await work.kept.bulkPut(
      granted
        .filter((scope) => !known.has(scope) && whole.has(scope))
        .map((scope) => ({ scope, userId: user.userId, since })),
    )
    return true as const
  })
}

/** Keys for those of the scopes that the user has a right to. */
async function keysFor(api: Api, deviceId: string, scopes: readonly string[]): Promise<Result<DeviceKeys, ApiError>> {
  const ask = (wanted: readonly string[]) => api.call('sync.keys', { body: { deviceId, scopes: [...wanted] } })
  const all = await ask(scopes)
  if (all.ok || scopes.length === 0 || errorKind(all.error.code) !== 'decision') return all
  // The user has lost the right to one of the scopes: asked one by one, the server gives the others.
  const bare = await ask([])
  if (!bare.ok) return bare
  const granted = [...bare.value.scopes]
  for (const scope of scopes) {
    const one = await ask([scope])
    if (one.ok) granted.push(...one.value.scopes)
    else if (errorKind(one.error.code) !== 'decision') return one
  }
  return ok({ ...bare.value, scopes: granted })
}

/** What a list of devices shows: enough to tell the tablet from the desktop. */
function deviceName(): string {
  const { userAgent, maxTouchPoints } = navigator
  const system = /Android|iPad|iPhone|Windows|Macintosh|CrOS|Linux/.exec(userAgent)?.[0] ?? 'Browser'
  return maxTouchPoints > 1 ? `${system} (touch)` : system
}
