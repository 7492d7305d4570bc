-- Tokens of videos may have rates by what was ordered, and calls of an upstream's tools a rate.
alter table price_version drop constraint price_version_other_rates;
alter table price_version add constraint price_version_other_rates check (case
    when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? (!('
        '@.key == "unit" || @.key == "amount" || @.key == "size" || @.key == "quality"'
        ' || @.key == "resolution" || @.key == "audio" || @.key == "input_video"'
        ' || @.key == "tier"))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string" && ('
        '@.unit == "cached_input_token" || @.unit == "cache_write_token"'
        ' || @.unit == "reasoning_token" || @.unit == "video_token" || @.unit == "image"'
        ' || @.unit == "second" || @.unit == "tool_call" || @.unit == "request")))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.amount.type() == "number"'
        ' && @.amount >= 0 && @.amount <= 1000000000000 && @.amount.floor() == @.amount))')
      and not jsonb_path_exists(other_rates, '$[*] ? ('
        '(exists(@.size) || exists(@.quality)) && @.unit != "image"'
        ' || (exists(@.resolution) || exists(@.audio) || exists(@.input_video)'
        ' || exists(@.tier)) && @.unit != "second" && @.unit != "video_token")')
      -- Without a selector it is the rate of all tokens, which has a column of its own.
      and not jsonb_path_exists(other_rates, '$[*] ? (@.unit == "video_token" && !('
        'exists(@.resolution) || exists(@.audio) || exists(@.input_video) || exists(@.tier)))')
      and not jsonb_path_exists(other_rates, '$[*] ? ('
        'exists(@.audio) && @.audio.type() != "boolean"'
        ' || exists(@.input_video) && @.input_video.type() != "boolean")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? ('
        '@.key == "size" || @.key == "quality" || @.key == "resolution" || @.key == "tier").value'
        ' ? (!(@.type() == "string" && @ like_regex "^[0-9A-Za-z._:-]{1,40}$"))')
    end);
alter table upstream_price drop constraint upstream_price_other_rates;
alter table upstream_price add constraint upstream_price_other_rates check (case
    when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string"'
        ' && @.amount.type() == "number" && @.amount >= 0 && @.amount <= 1000000000000000'
        ' && @.amount.floor() == @.amount))')
    end);
