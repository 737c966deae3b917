/** A page that opens one of ours, or that it opens, gets no hold of its window; and ours need none of these devices. */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(self), ' +
    'geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), ' +
    'publickey-credentials-get=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=()',
};
