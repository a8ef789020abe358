/** Version of the app, as operations and requests carry it. */
export const APP_VERSION = '0.1.0'
