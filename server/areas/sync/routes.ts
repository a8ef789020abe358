import { pageOf } from '#core/wire/shapes.ts'
import { membership, requirePermission } from '#server/access.ts'
import {
  deviceProof,
  deviceStamp,
  deviceState,
  isDeviceProof,
  isDeviceUser,
  noteReport,
  registerDevice,
  requireDevice,
  requireOwnDevice,
  unknownDevice,
} from '#server/areas/auth/device.ts'
import { bindDevice } from '#server/areas/auth/store.ts'
import { decideInbox } from '#server/areas/sync/decide.ts'
import { blockDevice, listDevices } from '#server/areas/sync/devices.ts'
import { listInbox } from '#server/areas/sync/inbox.ts'
import { inboxDetail } from '#server/areas/sync/inboxDetail.ts'
import { leaseNumbers } from '#server/areas/sync/lease.ts'
import { pullLines } from '#server/areas/sync/pull.ts'
import { pushAnswers, requireKeys } from '#server/areas/sync/push.ts'
import { keepableScopes, readScope, requireScope, scopeMember } from '#server/areas/sync/scopeAccess.ts'
import { durableSeqs } from '#server/backup/durable.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'
import { deviceKeys, lockDeviceKeys, mayHoldKeys, proofKey } from '#server/operations/keys.ts'

import { rescue } from './rescue/rescue.ts'

export const handlers: Handlers = {
  'sync.device': async ({ services, actor, acted, body, ip, http }) => {
    const stamp = deviceStamp(actor, { ...acted, deviceId: body.deviceId }, 'sync.device', ip, services.now(), null)
    const known = await withTransaction(services.pool, async (transaction) => {
      // A client that named no device at its sign-in names one here, once.
      if (actor.deviceId === null) await bindDevice(transaction, actor.sessionId, body.deviceId)
      else requireOwnDevice(actor, body.deviceId)
      const shown = isDeviceProof(services.secrets, body.deviceId, http.deviceCookie)
      const isItself = shown || (await isDeviceUser(transaction, body.deviceId, actor.userId, 'first counts'))
      if (isItself) http.setDeviceCookie(deviceProof(services.secrets, body.deviceId))
      return registerDevice(transaction, body, actor, stamp, isItself)
    })
    return { deviceId: body.deviceId, ...known, serverTime: services.now(), epoch: services.secrets.epoch }
  },

  'sync.scopes': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) =>
      keepableScopes(connection, await membership(connection, actor, query.projectId), actor.deviceId),
    ),

  // A scope that the user may no longer keep is left out, so that the device drops its copy of the key.
  'sync.keys': async ({ services, actor, acted, body, ip }) => {
    const withheld: string[] = []
    const scopes = await withTransaction(services.pool, async (transaction) => {
      requireOwnDevice(actor, body.deviceId)
      await lockDeviceKeys(transaction, body.deviceId)
      await requireDevice(transaction, body.deviceId)
      const granted: { scope: string; sensitive: boolean }[] = []
      withheld.length = 0
      for (const scope of new Set(body.scopes)) {
        const member = await scopeMember(transaction, actor, readScope(scope))
        if (member === null) continue
        if (await mayHoldKeys(transaction, body.deviceId, readScope(scope), member))
          granted.push({ scope, sensitive: member.sensitive })
        else withheld.push(scope)
      }
      const keys = await deviceKeys(transaction, services.secrets, body.deviceId, granted)
      const stamp = deviceStamp(actor, { ...acted, deviceId: body.deviceId }, 'sync.keys', ip, services.now(), null)
      await commitSystem(transaction, stamp, [
        { action: 'device.keys', new: { scopes: granted.map(({ scope }) => scope) } },
      ])
      return [...keys]
    })
    const { secrets } = services
    return {
      proof: proofKey(secrets, actor.userId, body.deviceId),
      scopes,
      rescuePublicKey: secrets.rescuePublicKey,
      ...(withheld.length === 0 ? {} : { withheld }),
    }
  },

  'sync.lease': async ({ services, actor, acted, body, ip }) =>
    withTransaction(services.pool, async (transaction) => {
      const member = await membership(transaction, actor, body.projectId)
      requireOwnDevice(actor, body.deviceId)
      await requireDevice(transaction, body.deviceId)
      const stamp = deviceStamp(
        actor,
        { ...acted, deviceId: body.deviceId },
        'sync.lease',
        ip,
        services.now(),
        member.role,
      )
      return leaseNumbers(transaction, member, body, stamp)
    }),

  'sync.push': async ({ services, actor, body, language, ip }) => {
    requireKeys(body.ops)
    const { deviceId, hints, epochs, former, keeps } = body
    requireOwnDevice(actor, deviceId)
    const { state, durable } = await withTransaction(services.pool, async (transaction) => {
      const now = await deviceState(transaction, deviceId)
      if (now === 'unknown') throw unknownDevice()
      if (await isDeviceUser(transaction, deviceId, actor.userId, 'first does not'))
        await noteReport(transaction, deviceId, body.report, actor.userId, services.now())
      return {
        state: now,
        durable: keeps === undefined ? undefined : await durableSeqs(transaction, actor.userId, keeps),
      }
    })
    return pushAnswers(
      services,
      { actor, language, ip },
      { deviceId, blocked: state === 'blocked', hints, epochs, former, durable },
      body.ops,
    )
  },

  'sync.pull': async ({ services, actor, query }) => {
    const scope = readScope(query.scope)
    requireOwnDevice(actor, query.deviceId)
    const member = await withConnection(services.pool, async (connection) => {
      await requireDevice(connection, query.deviceId)
      return requireScope(connection, actor, scope)
    })
    return pullLines(services, { actor, deviceId: query.deviceId }, member, scope, query)
  },

  'sync.inbox': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requirePermission(member, 'data_review')
      const { rows, total, totalIsLeast } = await listInbox(connection, member, query)
      const page = pageOf(rows, total, query)
      return totalIsLeast ? { ...page, totalIsLeast } : page
    }),

  'sync.inboxDetail': async ({ services, actor, params, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requirePermission(member, 'data_review')
      return inboxDetail(connection, member, params.id)
    }),

  'sync.inboxDecide': async (context) => decideInbox(context, context.params.id),

  'sync.devices': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requirePermission(member, 'device_manage')
      const { rows, total, totalIsLeast } = await listDevices(connection, member, query)
      const page = pageOf(rows, total, query)
      return totalIsLeast ? { ...page, totalIsLeast } : page
    }),

  'sync.deviceBlock': async (context) => blockDevice(context, context.params.id),

  'sync.rescue': async ({ services, actor, acted, body, language, ip }) =>
    rescue(services, { actor, language, ip }, body, (role) =>
      deviceStamp(actor, acted, 'sync.rescue', ip, services.now(), role),
    ),
}
