/**
 * Names of the headers of the contract. HTTP compares them without case; these are spelled as the BladeX family does.
 */
export const headers = {
  /** `Basic base64(clientId:clientSecret)`, on every call. */
  client: 'Authorization',
  /** `bearer <token>`. */
  token: 'Blade-Auth',
  projectId: 'projectId',
  crfId: 'crfId',
  /** Entry pass, under /edc/data. */
  doubleSeqNo: 'doubleSeqNo',
  idempotencyKey: 'Idempotency-Key',
  deviceId: 'X-Device-Id',
  protocol: 'X-Protocol',
  appVersion: 'X-App-Version',
  /** When the person acted: UTC instant of the tablet, its offset in minutes, its measured drift in ms. */
  actedAt: 'X-Acted-At',
  actedOffset: 'X-Acted-Offset',
  clockDrift: 'X-Clock-Drift',
  /**
   * `1` or `0`: whether those whom a change concerns are to be told of it (specification §7: experts and updates of
   * patients).
   */
  notify: 'X-Notify',
  captchaKey: 'Captcha-Key',
  captchaCode: 'Captcha-Code',
  tenantId: 'Tenant-Id',
} as const

/** Public client of our own front end. It identifies the kind of client and protects nothing. */
export const OWN_CLIENT = { id: 'zhenglu', secret: 'zhenglu_public_client' } as const

/** Cookie names of specification §9. */
export const ACCESS_COOKIE = 'edc-access-token'
export const REFRESH_COOKIE = 'edc-refresh-token'
/** Shows that a browser is the device that it says it is. No script reads it. */
export const DEVICE_COOKIE = 'edc-device'
/** Path the refresh cookie is bound to. */
export const REFRESH_COOKIE_PATH = '/api/blade-auth'
