/**
 * - `authority_damaged`: the file of the site's certificate authority exists and cannot be used. The server never
 *   replaces it.
 * - `authority_expired`: the authority has expired, so tablets trust nothing that it signed.
 * - `address_not_here`: the address that `--lan` names is none of this machine's.
 * - `help_port_taken`: another program listens on the port of the help page.
 */
export type SiteErrorReason = 'authority_damaged' | 'authority_expired' | 'address_not_here' | 'help_port_taken'

/**
 * Why the server cannot be reached over HTTPS on the ward's network. The message is for the operator and says what to
 * do.
 */
export class SiteError extends Error {
  override readonly name = 'SiteError'
  readonly reason: SiteErrorReason

  constructor(reason: SiteErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
