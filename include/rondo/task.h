// The former name of coroutine_type.h, for one version.
#pragma once

#include "rondo/coroutine_type.h"
