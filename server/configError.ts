export type ConfigErrorReason =
  | 'unknown_argument'
  | 'invalid_lan'
  | 'lan_with_host'
  | 'same_port'
  | 'invalid_host'
  | 'invalid_list_hosts'
  | 'invalid_public_url'
  | 'invalid_port'
  | 'invalid_database_url'
  | 'app_url_without_database_url'
  | 'invalid_flag'
  | 'demo_not_local'
  | 'tls_incomplete'
  | 'invalid_trust_proxy'
  | 'invalid_log_level'
  | 'invalid_backup'
  | 'invalid_attachments'
  | 'invalid_messages'
  | 'invalid_min_free'
  | 'invalid_metrics_token'

/**
 * A setting that cannot be used. The message names the variable and its allowed values, and never repeats its value.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly reason: ConfigErrorReason
  readonly variable: string

  constructor(reason: ConfigErrorReason, variable: string, expected: string) {
    super(`${variable}: ${expected}`)
    this.reason = reason
    this.variable = variable
  }
}
